"""How the page of a canvas looks: light and dark, wide and narrow, on screen and on paper."""

STYLE = """\
:root {
  color-scheme: light dark;
  --ink: #1c2024; --soft: #60646c; --line: #b9bbc6; --paper: #fcfcfd; --card: #f0f0f3;
  --done: #2b7d46; --doing: #0b68cb; --blocked: #c62a2f; --todo: #60646c; --paused: #946800;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #edeef0; --soft: #b0b4ba; --line: #5a6169; --paper: #111113; --card: #212225;
    --done: #5bb98b; --doing: #70b8ff; --blocked: #ff8a8c; --todo: #b0b4ba; --paused: #f0c000;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1rem; max-width: 60rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, "Noto Sans", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif;
  overflow-wrap: anywhere;
}
h1 { margin: 0 0 .25rem; font-size: 1.35rem; line-height: 1.3; }
p { margin: 0; }
header { margin-bottom: 1.5rem; }
progress { width: 9rem; height: .7rem; accent-color: var(--done); vertical-align: middle; }
.number, .id { color: var(--soft); white-space: nowrap; }
.id { font: .85em ui-monospace, Menlo, Consolas, monospace; }
.facts, .count, .note, .why, .kind, time { color: var(--soft); font-size: .85rem; }
.title { font-weight: 600; }
.line { display: block; }
.summary { white-space: pre-line; }
.side { float: right; margin-left: 1rem; white-space: nowrap; }
.why { font-style: italic; }
.chip {
  padding: 0 .5em; border: 1px solid currentColor; border-radius: 1em; font-size: .8rem; white-space: nowrap;
}
.done, .completed { color: var(--done); }
.doing, .active { color: var(--doing); }
.blocked, .error, .cancelled { color: var(--blocked); }
.todo, .missing, .archived { color: var(--todo); }
.paused { color: var(--paused); }
.row { position: relative; padding: .15rem 0 .55rem var(--gutter); scroll-margin-top: 1rem; }
.row:target > details, .row:target > .bare { outline: 2px solid var(--doing); outline-offset: 3px; }
.row > i { position: absolute; top: 0; bottom: 0; width: 2px; margin-left: -1px; background: var(--line); }
.row > i.own { display: none; }
.row > i.own.up { display: block; bottom: calc(100% - 1rem); }
.row > i.own.down { display: block; top: 1rem; }
.row > i.own.up.down { top: 0; bottom: 0; }
.mark {
  position: absolute; top: .3rem; width: 1.3rem; height: 1.3rem; margin-left: -.65rem; border: 2px solid;
  border-radius: 50%; background: var(--paper); font-size: .75rem; line-height: 1.1rem; text-align: center;
}
.turn { display: block; overflow: visible; }
.turn path { fill: none; stroke: var(--line); stroke-width: 2; }
summary { display: block; cursor: pointer; border-radius: .4rem; }
summary::-webkit-details-marker { display: none; }
summary:hover { background: var(--card); }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--doing); outline-offset: 2px; }
.count::before { content: "▸ "; }
details[open] > summary > .count::before { content: "▾ "; }
.entry { margin: .4rem 0; padding: .4rem .6rem; border-radius: .4rem; background: var(--card); }
code, pre { font: .85rem/1.45 ui-monospace, Menlo, Consolas, "Noto Sans Mono CJK SC", monospace; }
pre {
  max-height: 30rem; margin: .4rem 0 0; padding: .6rem; overflow: auto; border: 1px solid var(--line);
  border-radius: .4rem; background: var(--paper); white-space: pre-wrap;
}
a { color: inherit; text-decoration-color: var(--line); }
@media (max-width: 36rem) {
  body { padding: .6rem; }
  .side { float: none; display: block; margin: 0; }
}
@media print {
  pre { max-height: none; }
  .entry { break-inside: avoid; }
}
"""
