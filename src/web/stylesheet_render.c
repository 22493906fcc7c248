/* libxslt, with everything forbidden that leads outside: loaders of documents
   and of entities refuse, and so do the preferences for reading, writing and
   the network. Entities are not expanded, extensions are not registered,
   recursion has an end. The result is written as HTML whatever the stylesheet
   says, since that is what browsers take it for. */
#include <libxml/HTMLtree.h>
#include <libxml/parser.h>
#include <libxslt/documents.h>
#include <libxslt/security.h>
#include <libxslt/transform.h>
#include <libxslt/xsltInternals.h>
#include <libxslt/xsltutils.h>
#include <stdio.h>
#include <string.h>

#include "web/stylesheet.h"

enum {
  DEPTH = 1000, /* of templates that apply each other */
  VARIABLES = 10000,
  LARGEST = 4 << 20, /* bytes of HTML */
  MESSAGE = 300,
  OPTIONS = XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_NOERROR |
            XML_PARSE_NOWARNING
};

/* ---- messages ---- */

/* Collects the first words; libraries say the rest in pieces. */
static void __attribute__((format(printf, 2, 3)))
hear(void *context, const char *format, ...) {
  Text *error = context;
  char words[MESSAGE];
  va_list list;
  if (error->length >= MESSAGE) return;
  va_start(list, format);
  vsnprintf(words, sizeof words, format, list);
  va_end(list);
  for (char *at = words; *at; at++)
    if ((unsigned char)*at < ' ') *at = ' ';
  text_add(error, words);
}

static bool refuse(Text *error, const char *why) {
  if (!error->length) text_add(error, why);
  while (error->length && error->bytes[error->length - 1] == ' ')
    error->bytes[--error->length] = '\0';
  return false;
}

/* ---- what is forbidden ---- */

static xmlParserInputPtr refuse_entity(const char *url, const char *id,
                                       xmlParserCtxtPtr context) {
  (void)url, (void)id, (void)context;
  return NULL;
}

static xmlDocPtr refuse_document(const xmlChar *uri, xmlDictPtr dict,
                                 int options, void *context,
                                 xsltLoadType type) {
  (void)uri, (void)dict, (void)options, (void)context, (void)type;
  return NULL;
}

static xsltSecurityPrefsPtr forbid(void) {
  static const xsltSecurityOption options[] = {
      XSLT_SECPREF_READ_FILE, XSLT_SECPREF_WRITE_FILE,
      XSLT_SECPREF_CREATE_DIRECTORY, XSLT_SECPREF_READ_NETWORK,
      XSLT_SECPREF_WRITE_NETWORK};
  xsltSecurityPrefsPtr prefs = xsltNewSecurityPrefs();
  for (size_t i = 0; prefs && i < sizeof options / sizeof *options; i++)
    xsltSetSecurityPrefs(prefs, options[i], xsltSecurityForbid);
  return prefs;
}

static void begin(Text *error) {
  xmlSetExternalEntityLoader(refuse_entity);
  xsltSetLoaderFunc(refuse_document);
  xmlSetGenericErrorFunc(error, hear);
  xsltSetGenericErrorFunc(error, hear);
  xsltMaxDepth = DEPTH;
  xsltMaxVars = VARIABLES;
}

static void end(void) {
  xmlSetGenericErrorFunc(NULL, NULL);
  xsltSetGenericErrorFunc(NULL, NULL);
  xsltSetLoaderFunc(NULL);
}

/* ---- the way of the data: text → trees → tree → text ---- */

static xmlDocPtr parse(const Text *text, const char *name, Text *error) {
  xmlDocPtr made =
      xmlReadMemory(text_string(text), (int)text->length, name, NULL, OPTIONS);
  const xmlError *last = xmlGetLastError();
  if (!made && last && last->message)
    hear(error, "line %d: %s", last->line, last->message);
  return made;
}

/* The document belongs to the stylesheet once it is made. */
static xsltStylesheetPtr compile(const Text *sheet, Text *error) {
  xmlDocPtr document = parse(sheet, "stylesheet", error);
  if (!document) return NULL;
  xsltStylesheetPtr made = xsltParseStylesheetDoc(document);
  if (!made) xmlFreeDoc(document);
  if (made && made->errors) {
    xsltFreeStylesheet(made);
    made = NULL;
  }
  return made;
}

static xmlDocPtr apply(xsltStylesheetPtr sheet, xmlDocPtr state, unsigned width,
                       Text *error) {
  char size[16];
  const char *parameters[] = {"width", size, "height", size, NULL};
  xsltSecurityPrefsPtr prefs = forbid();
  xsltTransformContextPtr context = xsltNewTransformContext(sheet, state);
  xmlDocPtr made = NULL;
  snprintf(size, sizeof size, "%u", width);
  if (context && prefs && xsltSetCtxtSecurityPrefs(prefs, context) == 0) {
    xsltSetTransformErrorFunc(context, error, hear);
    context->xinclude = 0;
    made =
        xsltApplyStylesheetUser(sheet, state, parameters, NULL, NULL, context);
    if (context->state != XSLT_STATE_OK) {
      if (made) xmlFreeDoc(made);
      made = NULL;
    }
  }
  if (context) xsltFreeTransformContext(context);
  if (prefs) xsltFreeSecurityPrefs(prefs);
  return made;
}

static bool write_html(xmlDocPtr document, Text *html, Text *error) {
  xmlNodePtr root = xmlDocGetRootElement(document);
  xmlChar *bytes = NULL;
  int length = 0;
  if (!root) return refuse(error, "the stylesheet makes nothing of this state");
  htmlDocDumpMemoryFormat(document, &bytes, &length, 0);
  bool fine = bytes && length > 0 && length <= LARGEST;
  if (fine) {
    if (xmlStrcasecmp(root->name, BAD_CAST "html") != 0)
      text_add(html, "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n");
    text_add_bytes(html, (const char *)bytes, (size_t)length);
  } else {
    refuse(error, "what the stylesheet makes is too large");
  }
  xmlFree(bytes);
  return fine;
}

bool stylesheet_render(const Text *sheet, const Text *xml, unsigned width,
                       Text *html, Text *error) {
  bool fine = false;
  begin(error);
  xmlDocPtr state = parse(xml, "state", error), made = NULL;
  xsltStylesheetPtr style = state ? compile(sheet, error) : NULL;
  if (style) made = apply(style, state, width, error);
  if (made) fine = write_html(made, html, error);
  if (!fine) refuse(error, "the stylesheet cannot be used");
  if (made) xmlFreeDoc(made);
  if (style) xsltFreeStylesheet(style);
  if (state) xmlFreeDoc(state);
  end();
  return fine;
}
