import { FormatError } from '#engines/bytes/format-error.ts'
import { openKeyStore } from '#engines/keystore/open-key-store.ts'
import { keyStoreFormat, readKeyStore } from '#engines/x509/key-store.ts'
import { looksLikePem, readPem } from '#engines/x509/pem.ts'
import { readInput, say } from '../../platform/sandbox/worker-pipes.ts'
import { shownCertificate } from '../assets/inspect-package.ts'
import { KEY_REFUSALS, type KeyAnswer, type KeyOrder, type KeyQuestion } from './key-messages.ts'

/** Opens one key store and ends. Passwords and key are in its memory alone; it says certificates, never the key. */
const argument = process.argv[2] ?? ''
const MOST_CERTIFICATES = 100
const MOST_KEYS = 1000
const LONGEST_ALIAS = 1000
const MOST_BLOCKS = 400

if (argument !== '--probe') say(work(JSON.parse(argument) as KeyOrder))

function work({ task, size }: KeyOrder): KeyAnswer {
  const question = JSON.parse(readInput(size).toString('utf8')) as KeyQuestion
  const bytes = Buffer.from(question.file, 'base64')
  try {
    return task === 'look' ? look(bytes) : open(bytes, question)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const refused = KEY_REFUSALS.find((key) => error.format === 'keystore' && key === error.key) ?? 'format'
    return { refused, detail: error.message.slice(0, 500) }
  }
}

function look(bytes: Uint8Array): KeyAnswer {
  const format = keyStoreFormat(bytes)
  if (!format) {
    if (!looksLikePem(bytes)) return { refused: 'format', detail: 'no key store' }
    const labels = readPem(bytes, MOST_BLOCKS).map(({ label }) => label)
    const isKey = labels.some((label) => label.endsWith('PRIVATE KEY'))
    const isCertified = labels.some((label) => label.endsWith('CERTIFICATE'))
    return isKey && isCertified
      ? { format: 'pem', aliases: null }
      : { refused: 'format', detail: 'no key and certificate' }
  }
  const { entries, locked } = readKeyStore(bytes, format)
  const aliases = entries.filter(({ kind }) => kind === 'key').map(({ alias }) => alias.slice(0, LONGEST_ALIAS))
  return { format, aliases: locked > 0 || format === 'pkcs12' ? null : aliases.slice(0, MOST_KEYS) }
}

function open(
  bytes: Uint8Array,
  { alias, store_password: store = '', key_password: key = '' }: KeyQuestion,
): KeyAnswer {
  const entry = openKeyStore(bytes, {
    passwords: { store, ...(key !== '' && { key }) },
    ...(alias && { alias }),
  })
  const certificates = entry.certificates.slice(0, MOST_CERTIFICATES).map((one) => shownCertificate(one))
  return { alias: entry.alias.slice(0, LONGEST_ALIAS), certificates }
}
