"""Show exercises that take answers on the page and in JupyterLab."""
