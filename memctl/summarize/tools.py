"""Which kind of call a tool makes (DESIGN 4.1): the tools of all supported agents, then a name's words."""

from memctl.summarize.requests import Request, squashed, words_of
from memctl.summarize.verbs import KIND_OF_VERB

_TABLE = {
    "read": """read read_file read_many_files read_files view view_file open_file cat notebook_read
        get_file_contents read_text_file read_multiple_files read_notebook view_image read_media_file
        read_mcp_resource fetch_rules open goto set_cursors scroll_up scroll_down get_file read_lints
        read_resource file_read view_source view_code_item read_terminal read_pdf_pages get_note read_page
        view_content_chunk""",
    "list": """ls list list_dir list_directory list_files list_code_definition_names directory_tree tree
        list_mcp_resources list_allowed_directories list_directory_with_sizes get_file_info list_tables
        list_resources list_folder""",
    "search": """grep glob search search_files grep_search search_file_content file_search codebase_search
        find find_files code_search ripgrep find_file search_dir search_file semantic_search tool_search
        find_by_name list_code_usages grep_files search_codebase search_code search_pdf_content search_nodes
        lsp find_symbol find_referencing_symbols search_for_pattern get_symbols_overview memory_search rg
        session_search lookup""",
    "edit": """edit multi_edit edit_file replace str_replace apply_patch apply_diff replace_in_file
        search_replace insert_content search_and_replace insert notebook_edit patch undo_edit
        insert_edit_into_file replace_string_in_file str_replace_based_edit str_replace delete_file delete
        edit_notebook move_file copy_file edit_block multi_edit_file edit_notebook_file file_edit
        multi_replace_string_in_file replace_symbol_body replace_regex rename_symbol remove_file reapply
        hashline_edit edit_file_v2""",
    "write": """write write_file write_to_file create_file create save_file create_directory new_file
        file_write create_new_jupyter_notebook append_file write_text_file""",
    "run": """bash shell exec run_command run_shell_command execute_command terminal run_terminal
        run_terminal_cmd run_terminal_command local_shell shell_command exec_command execute_bash cmd_run
        shell_exec run powershell pwsh run_in_terminal execute python ipython execute_ipython_cell
        run_ipython code_interpreter code_execution repl js_repl write_stdin bash_output read_bash
        write_bash stop_bash list_bash kill_bash kill_shell process get_terminal_output unified_exec
        python_execute run_python execute_code run_code cmd bash_command run_cell run_notebook_cell
        shell_tool bash_tool command_status send_command_input terminal_output sandbox execute_python
        run_javascript calculate calculator start_process interact_with_process read_process_output
        monitor""",
    "test": "run_tests run_test test runtests",
    "build": "get_errors diagnostics get_diagnostics lsp_diagnostics build lint read_diagnostics run_build",
    "vcs": """get_changed_files git_status git_diff git_diff_unstaged git_diff_staged git_commit git_add
        git_log git_show git_checkout git_create_branch git_reset git_init git_push git_pull git_branch
        git""",
    "web": """web_fetch fetch web_search google_web_search search_web browser browser_action browse
        browse_interactive browse_url read_url_content open_browser_url url_fetch fetch_webpage fetch_html
        http_request tavily_search brave_web_search search_the_web fetch_url open_url visit_page visit
        url_context internet_search google_search web_scrape scrape fetch_markdown fetch_txt fetch_json
        open_simple_browser web read_url""",
    "plan": """todo_write todo_read update_plan write_todos read_todos task_create task_update task_list
        task_get manage_todo_list task_tracker set_plan exit_plan_mode enter_plan_mode update_todo_list
        plan_mode_respond focus_chain todo todos create_plan set_todo_list todo_list update_todos
        create_todo_list plan manage_tasks set_goal""",
    "agent": """task agent dispatch_agent spawn_agent delegate new_task sessions_spawn subagent use_subagents
        task_output task_stop wait_agent wait send_message send_input delegate_to_agent
        codebase_investigator oracle librarian sessions_send close_agent resume_agent call_omo_agent
        background_task background_output agent_output transfer_to_human_agents handoff sub_agent
        run_subagent""",
    "mcp": "use_mcp_tool access_mcp_resource call_mcp_tool mcp",
    "other": """ask_user_question ask_followup_question attempt_completion finish complete_task submit
        claim_done skill use_skill activate_skill save_memory memory switch_mode send_user_message message
        ask_user request_user_input final_answer done exit noop cron sleep image canvas condensation
        list_skills load_skill exit_forfeit think sequential_thinking report_intent""",
}
KIND_OF_TOOL: dict[str, str] = {
    squashed(name): kind for kind, names in _TABLE.items() for name in names.split()
}
EDITORS = frozenset(["strreplaceeditor", "fileeditor", "strreplacebasededittool", "editor"])
_EDITOR_KINDS = {
    "view": "read",
    "create": "write",
    "str_replace": "edit",
    "insert": "edit",
    "undo_edit": "edit",
    "delete": "edit",
}
# One-word names mean little behind an MCP server's name: `notes-search` searches notes, not files.
_RUNS = frozenset(squashed(name) for name in _TABLE["run"].split())


def kind_of(request: Request) -> str:
    """Say which of `model.KINDS` a call is, from its name and arguments alone."""
    kind = _named_kind(request)
    runs = request.key in _RUNS or (not request.server and request.command)
    if (kind == "run" and runs) or (kind == "other" and request.text and not request.server):
        if (
            request.key in ("writestdin", "bashoutput", "killshell", "killbash", "process")
            and not request.command
        ):
            return "run"
        return request.line.kind if request.parts else "run" if kind == "run" else "other"
    if (
        not request.server
        and kind in ("read", "edit", "write", "search")
        and request.text
        and not request.fields
    ):
        return _swe_kind(request, kind)
    return kind


def _named_kind(request: Request) -> str:
    key = request.key
    if key in EDITORS:
        return _EDITOR_KINDS.get(request.string("command", "cmd"), "edit")
    if request.server:
        return KIND_OF_TOOL.get(squashed(request.tool)) or _mcp_kind(request)
    if key in KIND_OF_TOOL:
        return KIND_OF_TOOL[key]
    words = words_of(request.tool)
    if any(word in ("bash", "shell", "terminal", "powershell") for word in words):
        return "run"
    if words:
        if words[0] == "browser":
            return "web"
        kind = KIND_OF_VERB.get(words[0], "")
        if kind:
            return kind
    if request.string("command", "cmd", "command_line"):
        return "run"
    return "other"


def _mcp_kind(request: Request) -> str:
    words = words_of(request.key if len(request.key) < 3 else request.tool)
    pieces = request.tool.replace("__", "-").replace(".", "-").replace(":", "-").replace("/", "-").split("-")
    for start in range(1, len(pieces)):
        name = "-".join(pieces[start:])
        if len(words_of(name)) > 1 and squashed(name) in KIND_OF_TOOL:
            return KIND_OF_TOOL[squashed(name)]
    if "browser" in words or "playwright" in words or "puppeteer" in words:
        return "web"
    return "mcp"


def _swe_kind(request: Request, kind: str) -> str:
    first = request.text.split(None, 1)[:1]
    return request.line.kind if first and squashed(first[0][:100]) == request.key and request.parts else kind
