export default {
  petstore: {
    input: '../openapi.json',
    output: { target: './generated/orval/petstore.ts', client: 'fetch', baseUrl: 'http://petstore.test/v1' },
  },
};
