/**
 * What a first start tells its operator: the key, which cannot be seen again, and commands to try it.
 *
 * @param address base address, with the version prefix
 */
export function welcome(address: string, apiKey: string): string {
  const curl = `curl -i -H 'Authorization: Bearer ${apiKey}'`;
  const pet = `{"name":"Ñandú","categoryId":7,"status":"available"}`;
  return `
A first API key was issued. It is kept nowhere else and is not shown again:

  ${apiKey}

Try it in another terminal:

  ${curl} ${address}/pets
  ${curl} -H 'Content-Type: application/json' -d '${pet}' ${address}/pets
  ${curl} ${address}/pets/1

`;
}
