import { type KeyUpload, uploadKey } from '#contracts/http/reinforce-signatures.ts'
import { randomBytes } from '#src/shared/api/gm-browser.ts'
import { formBody } from '#src/shared/upload/form-body.ts'
import { sendBytes } from '#src/shared/upload/send-bytes.ts'

/** Uploads a key file; throws ApiError where it is not one. */
export async function sendKey(file: File): Promise<KeyUpload> {
  const content = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
  const { contentType, bytes } = formBody({}, content, randomBytes(12))
  const headers = { 'content-type': contentType }
  const { body } = await sendBytes({ method: 'POST', target: uploadKey.path, headers, body: bytes })
  return body['file_object'] as KeyUpload
}
