import { concat, readUint, toHex, uint, utf8 } from '../gm/bytes.ts'
import { type GmPrimitives, hkdfSm3 } from '../gm/primitives.ts'

/** The session suite (number 3) of AW-ENV/1: sdk/session/protocol.md specifies every byte. */
export const VERSION = 1
export const SUITE = 3
export const KIND = { hello: 1, answer: 2, request: 3, response: 4 } as const
/** Seconds: the longest life of a session, and the largest difference of the two clocks. */
export const MAX_LIFETIME = 1800
export const CLOCK_WINDOW = 60
/** The last sequence number of a session; the first one is 1. */
export const MAX_SEQUENCE = 0xffffff
export const MAX_PLAINTEXT = 8 * 1024 * 1024
export const TAG = 32

export type SessionKeys = {
  encryptRequest: Uint8Array
  macRequest: Uint8Array
  encryptResponse: Uint8Array
  macResponse: Uint8Array
}

/** What both sides keep of a handshake. Times in Unix seconds of the server's clock. */
export type Session = {
  /** 16 bytes. */
  id: Uint8Array
  /** Number of the application's key that the server was authenticated with. */
  keyId: number
  created: number
  expires: number
  keys: SessionKeys
}

const RECORD_FORMAT = 1
const RECORD_BYTES = 133

/** 133 bytes for a store: format 1, id (16), key id (4), created (8), expires (8), the four keys (96). They are secret. */
export function encodeSession({ id, keyId, created, expires, keys }: Session): Uint8Array {
  const { encryptRequest, macRequest, encryptResponse, macResponse } = keys
  const head = [Uint8Array.of(RECORD_FORMAT), id, uint(keyId, 4), uint(created, 8), uint(expires, 8)]
  return concat(...head, encryptRequest, macRequest, encryptResponse, macResponse)
}

/** Undefined for anything that encodeSession does not write. */
export function decodeSession(record: Uint8Array): Session | undefined {
  if (record.length !== RECORD_BYTES || record[0] !== RECORD_FORMAT) return undefined
  return {
    id: record.slice(1, 17),
    keyId: readUint(record.subarray(17, 21)),
    created: readUint(record.subarray(21, 29)),
    expires: readUint(record.subarray(29, 37)),
    keys: keysOf(record.slice(37)),
  }
}

/** The four keys of a session, and the one that confirms the handshake. `transcript`: hello and answer up to the proof. */
export function deriveKeys(
  gm: GmPrimitives,
  exchanged: Uint8Array,
  transcript: Uint8Array,
): { keys: SessionKeys; confirm: Uint8Array } {
  const all = hkdfSm3(gm, exchanged, gm.sm3(transcript), utf8('AW-ENV1-03'), 128)
  return { keys: keysOf(all), confirm: all.slice(96, 128) }
}

function keysOf(bytes: Uint8Array): SessionKeys {
  return {
    encryptRequest: bytes.slice(0, 16),
    macRequest: bytes.slice(16, 48),
    encryptResponse: bytes.slice(48, 64),
    macResponse: bytes.slice(64, 96),
  }
}

export const CLIENT_ID: Uint8Array = utf8('AW-ENV1-03-client')
export function serverIdOf(keyId: number): Uint8Array {
  return utf8(`AW-ENV1-03-server-${toHex(uint(keyId, 4))}`)
}

/** The first four bytes of everything that is sent. */
export function headOf(kind: number): Uint8Array {
  return Uint8Array.of(VERSION, SUITE, kind, 0)
}
export function hasHead(bytes: Uint8Array, kind: number): boolean {
  return headOf(kind).every((byte, at) => bytes[at] === byte)
}
