import { gmPortable } from '#engines/gm/gm-portable.ts'
import type { SecureClient } from '#sdk/session/browser.ts'
import type vectorFile from '#sdk/session/vectors.generated.json'
import { checkVectors } from './check-vectors.ts'
import { sendRandom } from './echo.ts'

/** What a page of sdk/session/browser.process.test.ts calls; the client is that of the delivered module, which the page loads itself. */
Object.assign(globalThis, {
  harness: {
    checkVectors: (vectors: typeof vectorFile) => checkVectors(gmPortable, vectors),
    sendRandom: (client: SecureClient, count: number, seed: number) => sendRandom(client, count, seed),
  },
})
