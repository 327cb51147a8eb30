import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkpointText } from '#contracts/http/audit-log.ts'
import { toHex, utf8 } from '#engines/gm/bytes.ts'
import { publicKeyOf, sm2PrivateKey, sm2Sign } from '#engines/gm/sm2-signature.ts'
import { verifyCommands } from './verify-commands.ts'

const key = sm2PrivateKey(createHash('sha256').update('a key of a test').digest())
const gm = { sm3: (data: Uint8Array) => createHash('sm3').update(data).digest() }
const unsigned = { id: 642, at: 1_795_460_250_738, entry_id: 1_284_288, hash: 'ab'.repeat(32) }
const signature = toHex(sm2Sign(gm, key, utf8(checkpointText(unsigned)), randomBytes))
const publicKey = toHex(publicKeyOf(key))
const hasTools = spawnSync('sh', ['-c', 'openssl version | grep -q "OpenSSL 3" && command -v xxd']).status === 0

test('[LOG-01] the commands contain the signed text, the key and the signature', () => {
  const commands = verifyCommands({ ...unsigned, signature }, publicKey)
  expect(commands).toContain("printf 'AppWarden audit checkpoint\\n642\\n1795460250738\\n1284288\\nabab")
  expect(commands).toContain(`${publicKey} | xxd`)
  expect(commands).toContain(`echo ${signature} | xxd`)
})

test.skipIf(!hasTools)(
  '[LOG-01] OpenSSL verifies a checkpoint with these commands, and refuses one that was changed',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'checkpoint-'))
    try {
      const run = (checkpoint: typeof unsigned) =>
        execFileSync('sh', ['-c', `${verifyCommands({ ...checkpoint, signature }, publicKey)} || true`], {
          cwd: folder,
          encoding: 'utf8',
        })
      expect(run(unsigned)).toContain('Verified OK')
      expect(run({ ...unsigned, entry_id: 1 })).toMatch(/Verification failure/i)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
