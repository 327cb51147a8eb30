import { createHash } from 'node:crypto'
import { downFile, uploadFile } from '#contracts/http/assets.ts'
import { phonePackage } from '../support/phone-package.ts'

const EVERY_MS = 3000

/** Uploads a small package every few seconds, as a build server does, and keeps what was acknowledged. A refused one is given up. */
export function createUploader(url: string, token: string) {
  const acknowledged = new Map<string, string>()
  const headers = { authorization: `Bearer ${token}` }
  let refused = 0
  let running = true

  async function upload(version: number): Promise<void> {
    const bytes = phonePackage('org.fault.app', { version: `1.${version}` })
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(bytes)]), `fault-${version}.apk`)
    try {
      const signal = AbortSignal.timeout(30_000)
      const answer = await fetch(url + uploadFile.path, { method: 'POST', body: form, headers, signal })
      const body = (await answer.json()) as { code?: number; file_object?: { id: string } }
      if (answer.ok && !body.code && body.file_object) acknowledged.set(body.file_object.id, sha256(bytes))
      else refused++
    } catch {
      refused++
    }
  }

  const loop = (async () => {
    for (let version = 1; running; version++) {
      await upload(version)
      await new Promise((wake) => setTimeout(wake, EVERY_MS))
    }
  })()

  return {
    /** How many were acknowledged and refused, and the file ids whose bytes are no longer those that were acknowledged. */
    async finish(): Promise<{ acknowledged: number; refused: number; damaged: string[] }> {
      running = false
      await loop
      const damaged: string[] = []
      for (const [id, digest] of acknowledged) {
        const answer = await fetch(`${url}${downFile.path}?file=${id}`, { headers })
        if (sha256(Buffer.from(await answer.arrayBuffer())) !== digest) damaged.push(id)
      }
      return { acknowledged: acknowledged.size, refused, damaged }
    },
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
