import { useClient } from './use-client.js';

export default {
  async fetch(_request, { BASE_URL, API_KEY }) {
    return new Response(await useClient(BASE_URL, API_KEY));
  },
};
