// Validation by plain JSON Schema: a separate entry, so that only its users load the library.

export { formValidator } from "./form-validator.ts";
export { jsonSchemaValidator } from "./validator.ts";
