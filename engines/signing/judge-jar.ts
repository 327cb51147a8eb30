import { readZip } from '../zip/read-zip.ts'
import type { SigningIssue } from './signing-facts.ts'
import { ownCertificate, type SigningKey } from './signing-key.ts'
import { verifyJar } from './verify-jar.ts'

/** What is wrong with a JAR signature that was just made with the key, as our verifier sees it; empty where it is what was asked for. */
export function judgeJar(bytes: Uint8Array, key: SigningKey): SigningIssue[] {
  const { state, errors, certificates } = verifyJar(readZip(bytes))
  if (errors.length) return [...errors]
  if (state === 'verified' && certificates[0]?.fingerprints.sha256 === ownCertificate(key).fingerprints.sha256)
    return []
  return [{ key: 'SIGNED_OTHERWISE', message: `the signed package is ${state}` }]
}
