export { type OpenApiDocument, openApiDocument, type Servers } from './document.ts';
