import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'

export type TakenMail = { from: string; to: string[]; text: string; secure: boolean; user: string }
export type MailServer = { port: number; taken: TakenMail[]; close(): Promise<void> }

/**
 * A mail server as small as RFC 5321 lets it be: EHLO, STARTTLS, AUTH PLAIN, one mail after the other. With `certificate` it offers
 * STARTTLS, or speaks TLS from the first byte where `secure` is set. Addresses that begin with `refuse` are refused.
 */
export async function startMailServer(
  options: { certificate?: { cert: string; key: string }; secure?: boolean; port?: number } = {},
): Promise<MailServer> {
  const { certificate, secure = false } = options
  const taken: TakenMail[] = []
  const sockets = new Set<Socket>()
  const begin = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    talk(socket, taken, certificate, secure)
  }
  const server: Server = secure && certificate ? createTlsServer(certificate, begin) : createServer(begin)
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    taken,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function talk(first: Socket, taken: TakenMail[], certificate: { cert: string; key: string } | undefined, tls: boolean) {
  let socket = first
  let secure = tls
  let buffered = ''
  let inText = false
  let mail: TakenMail = { from: '', to: [], text: '', secure, user: '' }
  const say = (line: string) => socket.write(`${line}\r\n`)
  const onData = (chunk: Buffer) => {
    buffered += chunk.toString('utf8')
    for (let end = buffered.indexOf('\r\n'); end >= 0; end = buffered.indexOf('\r\n')) {
      const line = buffered.slice(0, end)
      buffered = buffered.slice(end + 2)
      hear(line)
    }
  }
  const hear = (line: string) => {
    if (inText) {
      if (line !== '.') {
        mail.text += `${line.replace(/^\.\./, '.')}\n`
        return
      }
      inText = false
      taken.push(mail)
      mail = { from: '', to: [], text: '', secure, user: mail.user }
      say('250 taken')
      return
    }
    const [, verb = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? []
    switch (verb.toUpperCase()) {
      case 'EHLO':
      case 'HELO':
        say('250-mail.example')
        if (certificate && !secure) say('250-STARTTLS')
        return say('250 AUTH PLAIN')
      case 'STARTTLS':
        say('220 go on')
        socket.off('data', onData)
        socket = new TLSSocket(socket, { isServer: true, ...certificate })
        socket.on('error', () => socket.destroy())
        socket.on('data', onData)
        secure = true
        mail.secure = true
        return
      case 'AUTH':
        mail.user =
          Buffer.from(rest.replace(/^PLAIN\s*/i, ''), 'base64')
            .toString('utf8')
            .split('\0')[1] ?? ''
        return say('235 known')
      case 'MAIL':
        mail.from = addressIn(rest)
        return say('250 ok')
      case 'RCPT':
        if (addressIn(rest).startsWith('refuse')) return say('550 no such mailbox')
        mail.to.push(addressIn(rest))
        return say('250 ok')
      case 'DATA':
        inText = true
        return say('354 go on')
      case 'QUIT':
        say('221 bye')
        return socket.end()
      default:
        return say('250 ok')
    }
  }
  socket.on('data', onData)
  say('220 mail.example')
}

const addressIn = (text: string) => /<([^>]*)>/.exec(text)?.[1] ?? ''
