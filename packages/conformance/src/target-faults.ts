/** What is wrong with an API key, as the rest of a sentence that begins with its name; `undefined` if nothing. */
export function findKeyFault(key: string): string | undefined {
  if (key === '') return 'is empty';
  if (/[\r\n]/.test(key)) return 'has a line break';
  if (/^bearer(?:\s|$)/i.test(key))
    return 'begins with "Bearer", which the suite adds: it must be the key alone';
  if (/[^\x21-\x7e]/.test(key)) return 'has a character that is not visible ASCII';
  return undefined;
}

/** What is wrong with a base URL, as the rest of a sentence that begins with its name; `undefined` if nothing. */
export function findBaseUrlFault(text: string): string | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return 'must begin with http:// or https://, as in https://petstore.example/v1';
  }
  if (url.username !== '' || url.password !== '') return 'must have no user name or password';
  if (url.search !== '' || url.hash !== '') return 'must have no query and no fragment';
  if (/\/pets\/?$/.test(url.pathname)) return `must end before /pets: ${text.replace(/\/pets\/?$/, '')}`;
  return undefined;
}
