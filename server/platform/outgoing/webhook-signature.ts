import { createHmac } from 'node:crypto'

/** `t=<seconds>,v1=<hex>`: HMAC-SHA-256 with the receiver's secret over `<seconds>.<body>`. */
export function webhookSignature(key: string, seconds: number, body: string): string {
  return `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`
}
