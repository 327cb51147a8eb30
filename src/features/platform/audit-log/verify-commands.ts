import { type Checkpoint, checkpointText } from '#contracts/http/audit-log.ts'

/** SubjectPublicKeyInfo of an SM2 key (RFC 5480 with the curve of GM/T 0006) up to its point, in hexadecimal. */
const SPKI_HEAD = '3059301306072a8648ce3d020106082a811ccf5501822d034200'
/** The user id that GB/T 32918.2 prescribes where none is agreed. */
const USER_ID = '1234567812345678'

/** Shell commands that verify a checkpoint with OpenSSL 3 alone; `publicKey` is the uncompressed point in hexadecimal. */
export function verifyCommands(checkpoint: Checkpoint, publicKey: string): string {
  const text = checkpointText(checkpoint).replaceAll('\n', '\\n')
  return [
    `printf '${text}' > checkpoint.txt`,
    `echo ${SPKI_HEAD}${publicKey} | xxd -r -p > key.der`,
    `echo ${checkpoint.signature} | xxd -r -p > checkpoint.sig`,
    'openssl dgst -sm3 -keyform DER -verify key.der \\',
    `  -sigopt distid:${USER_ID} -signature checkpoint.sig checkpoint.txt`,
  ].join('\n')
}
