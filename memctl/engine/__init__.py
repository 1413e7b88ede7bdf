"""Engines: any model or program may write summaries, canvases and layers; hooks feed a running agent's memory."""
