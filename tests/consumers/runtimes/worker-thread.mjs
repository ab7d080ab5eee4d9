import process from 'node:process';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { useClient } from './use-client.js';

if (isMainThread) new Worker(new URL(import.meta.url)).on('message', (text) => console.log(text));
else parentPort.postMessage(await useClient(process.env.PETSTORE_BASE_URL, process.env.PETSTORE_API_KEY));
