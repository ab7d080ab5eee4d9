import process from 'node:process';
import { createNodeFetch } from '@petstore/client/node';
import { useClient } from './use-client.js';

const { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey } = process.env;
console.log(await useClient(baseUrl, apiKey, createNodeFetch()));
