/** The Error bodies of all peers whose stack lets them choose. */
export const unauthorized = { code: 'invalid_api_key', message: 'The API key is not valid', status: 401 };
export const notFound = { code: 'pet_not_found', message: 'There is no pet with this id', status: 404 };
export const invalid = { code: 'invalid_request', message: 'The request is not valid', status: 400 };
export const internal = { code: 'internal_error', message: 'The service failed', status: 500 };
