// The files of apps/pages, as they are when the command is built.
#pragma once

namespace tandem::cli::pages {

extern const char* const page_html;
extern const char* const kit_css;
extern const char* const kit_js;
extern const char* const compare_js;
extern const char* const trace_js;

}  // namespace tandem::cli::pages
