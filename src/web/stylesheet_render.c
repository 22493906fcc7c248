/* libxslt, with everything forbidden that leads outside: stylesheets are
   imported from the kit alone, loaders of documents and of entities refuse, and
   so do the preferences for reading, writing and the network. Entities are not
   expanded, extensions are not registered, recursion has an end. The result is
   written as HTML whatever the stylesheet says, since that is what browsers
   take it for. */
#include <libxml/HTMLtree.h>
#include <libxml/parser.h>
#include <libxml/uri.h>
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
  LARGEST = 8 << 20, /* bytes of HTML */
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

static const StylesheetKit *imported; /* while a stylesheet is compiled */

/* libxslt compares names by their addresses in the dictionary. */
static xmlDocPtr parse_sheet(const StylesheetFile *file, const char *uri,
                             xmlDictPtr dict) {
  xmlParserCtxtPtr context = xmlNewParserCtxt();
  if (!context) return NULL;
  if (dict) {
    xmlDictFree(context->dict);
    context->dict = dict;
    xmlDictReference(dict);
  }
  xmlDocPtr made =
      xmlCtxtReadMemory(context, text_string(&file->bytes),
                        (int)file->bytes.length, uri, NULL, OPTIONS);
  xmlFreeParserCtxt(context);
  return made;
}

/* Gives a stylesheet of the kit, and nothing while one runs. */
static xmlDocPtr load_sheet(const xmlChar *uri, xmlDictPtr dict, int options,
                            void *context, xsltLoadType type) {
  xmlDocPtr made = NULL;
  (void)options, (void)context;
  if (!imported || type != XSLT_LOAD_STYLESHEET) return NULL;
  char *path = xmlURIUnescapeString((const char *)uri, 0, NULL);
  for (uint32_t i = 1; path && !made && i < imported->sheets.count; i++)
    if (strcmp(text_string(&imported->sheets.data[i].name), path) == 0)
      made = parse_sheet(&imported->sheets.data[i], (const char *)uri, dict);
  xmlFree(path);
  return made;
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
  xsltSetLoaderFunc(load_sheet);
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
static xsltStylesheetPtr compile(const StylesheetKit *kit, Text *error) {
  const StylesheetFile *sheet = &kit->sheets.data[0];
  xmlChar *name = xmlPathToURI(BAD_CAST text_string(&sheet->name));
  xmlDocPtr document = parse(&sheet->bytes, (const char *)name, error);
  xmlFree(name);
  if (!document) return NULL;
  imported = kit;
  xsltStylesheetPtr made = xsltParseStylesheetDoc(document);
  imported = NULL;
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

/* ---- pictures ---- */

/* "White_Pawn.png" as "White Pawn". */
static void name_picture(const char *path, Text *name) {
  const char *slash = strrchr(path, '/');
  text_add(name, slash ? slash + 1 : path);
  char *end = name->length ? strrchr(name->bytes, '.') : NULL;
  if (end) {
    *end = '\0';
    name->length = (size_t)(end - name->bytes);
  }
  for (size_t i = 0; i < name->length; i++)
    if (name->bytes[i] == '_') name->bytes[i] = ' ';
}

static void put_picture(const StylesheetKit *kit, xmlNodePtr node) {
  static const char resources[] = "resources/";
  xmlChar *source = xmlGetProp(node, BAD_CAST "src");
  const StylesheetFile *found = NULL;
  Text name = {0};
  if (!source || strncmp((const char *)source, "data:", 5) == 0) {
    xmlFree(source);
    return;
  }
  const char *path = strstr((const char *)source, resources);
  path = path ? path + sizeof resources - 1 : (const char *)source;
  for (uint32_t i = 0; i < kit->pictures.count && !found; i++)
    if (strcmp(text_string(&kit->pictures.data[i].name), path) == 0)
      found = &kit->pictures.data[i];
  name_picture(path, &name);
  if (!xmlHasProp(node, BAD_CAST "alt"))
    xmlNewProp(node, BAD_CAST "alt", BAD_CAST text_string(&name));
  if (found)
    xmlSetProp(node, BAD_CAST "src", BAD_CAST text_string(&found->bytes));
  else
    xmlUnsetProp(node, BAD_CAST "src");
  xmlFree(source);
  text_free(&name);
}

static void put_pictures(const StylesheetKit *kit, xmlNodePtr root) {
  xmlNodePtr node = root;
  while (node) {
    if (node->type == XML_ELEMENT_NODE &&
        xmlStrcasecmp(node->name, BAD_CAST "img") == 0)
      put_picture(kit, node);
    if (node->type == XML_ELEMENT_NODE && node->children) {
      node = node->children;
      continue;
    }
    while (node && node != root && !node->next) node = node->parent;
    if (!node || node == root) break;
    node = node->next;
  }
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

bool stylesheet_render(const StylesheetKit *kit, const Text *xml,
                       unsigned width, Text *html, Text *error) {
  bool fine = false;
  begin(error);
  xmlDocPtr state = parse(xml, "state", error), made = NULL;
  xsltStylesheetPtr style = state ? compile(kit, error) : NULL;
  if (style) made = apply(style, state, width, error);
  if (made) put_pictures(kit, xmlDocGetRootElement(made));
  if (made) fine = write_html(made, html, error);
  if (!fine) refuse(error, "the stylesheet cannot be used");
  if (made) xmlFreeDoc(made);
  if (style) xsltFreeStylesheet(style);
  if (state) xmlFreeDoc(state);
  end();
  return fine;
}
