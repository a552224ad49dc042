// Validation by plain JSON Schema: a separate entry, so that only its users load the library.
export { jsonSchemaValidator } from "./validator.ts";
export { formValidator } from "./form-validator.ts";
