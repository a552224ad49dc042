export const diagnostics = {
  "diagnostics.missing-note": 'There is no note "{name}"',
  "diagnostics.missing-embed": 'There is no file "{name}" to show here',
  "diagnostics.missing-heading": 'There is no heading "{name}" in {path}',
  "diagnostics.missing-block": 'There is no block "^{name}" in {path}',
  "diagnostics.repeated-heading":
    'There is more than one heading "{name}" in {path}: this link leads to the first',
  "diagnostics.repeated-block":
    'Another block has the ID "^{name}" too: links lead to one of them only',
  "diagnostics.ambiguous-link": 'More than one file is called "{name}": this link leads to {path}',
  "diagnostics.other-capitals":
    "The file is written {path}: where capitals matter, this link does not find it",
  "diagnostics.invalid-properties": "The properties are not valid YAML",
  "diagnostics.repeated-property": 'The property "{name}" is there more than once',
  "diagnostics.tab-in-properties": "YAML wants spaces here: a tab does not indent",
  "diagnostics.property-is-no-list": 'The property "{name}" should be a list',
  "diagnostics.unclosed-code": "This block of code has no end",
  "diagnostics.unclosed-comment": "This comment has no end",
  "diagnostics.unclosed-math": "This formula has no end",
  "diagnostics.missing-footnote": 'There is no footnote "{name}"',
  "diagnostics.too-long": "Longer than {limit} characters: this note is not checked",
} as const;
