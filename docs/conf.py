"""Sphinx configuration of the course's site; tools/sitebuild.py runs it for `./course site`."""

import os
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
REPO = DOCS.parent
BUILD = Path(os.environ.get("COALESCE_BUILD") or REPO / "build").resolve()
DOXYGEN_XML = BUILD / "doxygen" / "xml"

sys.path[:0] = [str(DOCS / "extension"), str(REPO)]

project = "Coalesce"
author = "the authors of Coalesce"
project_copyright = "the authors of Coalesce"
html_title = "Coalesce"
language = "en"
root_doc = "index"

extensions = [
    "myst_parser",
    "sphinx_design",
    "sphinx_copybutton",
    "breathe",
    "coalesce_docs",
]

# Chapters are reached through the link docs/chapters; of each only its pages are documents.
exclude_patterns = [
    "_static",
    "_templates",
    "data",
    "extension",
    "chapters/*/broken",
    "chapters/*/exercises",
    "chapters/*/recorded",
    "chapters/*/notes*.md",
    "chapters/*/*/notes*.md",
    "**/.*",
]
source_suffix = {".md": "markdown"}
nitpicky = True
show_warning_types = True

myst_enable_extensions = [
    "attrs_inline",
    "colon_fence",
    "deflist",
    "dollarmath",
    "fieldlist",
    "smartquotes",
    "substitution",
]
myst_heading_anchors = 3
myst_links_external_new_tab = False
suppress_warnings = ["myst.substitution"]

# The course's extension.
coalesce_repo = str(REPO)
coalesce_build = str(BUILD)
coalesce_results_dirs = [str(REPO / "work" / "results"), str(BUILD / "work" / "results")]
coalesce_draft = bool(os.environ.get("COALESCE_DRAFT"))

# Reference pages of src/coalesce. Words of CUDA that Sphinx's C++ parser does not know.
breathe_projects = {"coalesce": str(DOXYGEN_XML)}
breathe_default_project = "coalesce"
breathe_default_members = ("members",)
breathe_implementation_filename_extensions = [".c", ".cc", ".cpp", ".cu"]
breathe_domain_by_extension = {"hpp": "cpp", "cu": "cpp", "cuh": "cpp"}
breathe_order_parameters_first = False
cpp_id_attributes = [
    "__global__",
    "__device__",
    "__host__",
    "__shared__",
    "__constant__",
    "__managed__",
    "__forceinline__",
    "__restrict__",
    "COALESCE_HOST_DEVICE",
]
cpp_maximum_signature_line_length = 88
# Names that others define: CUDA's types, the standard library's, and fundamental types.
nitpick_ignore_regex = [
    (r"cpp:.*", r"(std|testing|benchmark)(::.*)?"),
    (r"cpp:.*", r"coalesce"),
    (r"cpp:.*", r"CLI(::.*)?"),
    (r"cpp:.*", r"cuda\w+"),
    (r"cpp:.*", r"(u?int\d+|size|ptrdiff|uintptr|float|double|clock)_t"),
    (r"cpp:.*", r"dim3|u?int[234]|float[234]|double2"),
    (r"cpp:.*", r"__builtin_\w+|U?INT\d+_(MIN|MAX)|array_(problem|definition)<.*>(::\w+)?"),
    (r"cpp:.*", r"(typename )?[A-Z]\w?|Args|Function|Kernel|Element|Value|Rest|Clock"),
]

templates_path = ["_templates"]
html_theme = "furo"
html_static_path = ["_static"]
html_favicon = "_static/icon.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_use_index = False
html_domain_indices = False
html_math_renderer = "mathml"
html_permalinks_icon = "#"
html_theme_options = {
    "sidebar_hide_name": False,
    "navigation_with_keys": True,
    "top_of_page_buttons": [],
    "light_css_variables": {},
    "footer_icons": [],
}
pygments_style = "coalesce_docs.highlighting.Light"
pygments_dark_style = "coalesce_docs.highlighting.Dark"
copybutton_selector = ", ".join(
    [
        "div.highlight:not(.diff-change):not(.diff-sides) > pre",
        "div.console-command div.highlight > pre",
    ]
)
copybutton_exclude = ".linenos, .gp"
