const process = require('node:process');
const { createPetStore } = require('@petstore/client');

const { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey } = process.env;
createPetStore({ baseUrl, apiKey })
  .createPet({ name: 'Ada', categoryId: 7 })
  .then(({ name }) => console.log(name === 'Ada' ? 'right' : 'wrong'));
