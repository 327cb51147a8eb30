import { readFile } from 'node:fs/promises'
import { ProductError } from '#contracts/errors.ts'
import { TEMPLATE_LIMITS } from '#contracts/http/platform-info.ts'

const NAME = /\.(?:md|markdown|txt)$/i
const NAME_LENGTH = 200

/** The text of an uploaded template file. Throws info.file_kind for what is no UTF-8 text by name or content, asset.too_large. */
export async function readTemplateFile(file: {
  name: string
  path: string
  size: number
}): Promise<{ name: string; content: string }> {
  const name = file.name.split(/[\\/]/).at(-1)?.slice(-NAME_LENGTH) ?? ''
  if (file.size > TEMPLATE_LIMITS.bytes) throw new ProductError('asset.too_large')
  if (!NAME.test(name)) throw new ProductError('info.file_kind')
  let content: string
  try {
    content = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file.path))
  } catch {
    throw new ProductError('info.file_kind')
  }
  // Control characters other than tab and line ends: a binary file, and NUL is nothing that the store keeps.
  if (content.trim() === '' || /[^\P{Cc}\t\r\n]/u.test(content)) throw new ProductError('info.file_kind')
  return { name, content }
}
