import process from 'node:process';
import { useClient } from './use-client.js';

console.log(await useClient(process.env.PETSTORE_BASE_URL, process.env.PETSTORE_API_KEY));
