export { openApiDocument, type Servers } from './document.ts';
