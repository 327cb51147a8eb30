/** Where the component is built in. */
export const INTEGRATIONS = ['codeBrowser', 'codeAndroid', 'codeIos', 'codeServer'] as const
export type Integration = (typeof INTEGRATIONS)[number]

type Parts = { keyId: number; publicKey: string; origin: string }

/** Code that uses the public names of sdk/session as they are. */
export function integrationCode(where: Integration, { keyId, publicKey, origin }: Parts): string {
  if (where === 'codeBrowser')
    return `import { createSecureClient } from './appwarden-session-browser.mjs'

const secure = createSecureClient({
  origin: '${origin}',
  keyId: ${keyId},
  publicKey: '${publicKey}',
})
const answer = await secure.fetch('/api/transfer/quote', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ amount: 52000 }),
})`
  if (where === 'codeAndroid')
    return `import io.appwarden.session.SecureClient;

SecureClient secure = new SecureClient(
    "${origin}",
    new SecureClient.ServerKey(${keyId}L, "${publicKey}"),
    null);
// On a worker thread.
SecureClient.Response answer = secure.post(
    "/api/transfer/quote", "application/json", body.getBytes("UTF-8"));`
  if (where === 'codeIos')
    return `import AppWardenSession

let secure = SecureClient(
  origin: "${origin}",
  key: SecureClient.ServerKey(keyId: ${keyId}, publicKey: "${publicKey}")!)
let answer = try await secure.request(
  "POST", "/api/transfer/quote", contentType: "application/json", body: Array(body))`
  return `import { createServer } from 'node:http'
import { keyPairOf, protect } from './appwarden-session-node.mjs'

// A key pair of this server's own: private keys of the console are not exported, its gateway uses them.
const pair = keyPairOf(process.env.SESSION_PRIVATE_KEY)
createServer(protect(listener, { keyOf: (keyId) => (keyId === 1 ? pair : undefined) })).listen(3000)`
}
