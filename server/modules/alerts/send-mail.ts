import { createTransport } from 'nodemailer'

const TIMEOUT_MS = 10_000

export type MailServer = {
  host: string
  port: number
  /** TLS from the first byte; else STARTTLS, which `tls=none` alone switches off. */
  secure: boolean
  startTls: boolean
  user: string
  password: string
  from: string
}

/**
 * Reads APPWARDEN_SMTP_URL: `smtps://user:password@host:465/?from=a@b` (TLS) or `smtp://…` (STARTTLS is demanded; `tls=none` sends in the
 * clear, for a relay on the same machine). Throws Error with one line.
 */
export function readMailServer(text: string): MailServer {
  const url = URL.parse(text)
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname)
    throw new Error('APPWARDEN_SMTP_URL must be smtp://host or smtps://host')
  const secure = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    startTls: !secure && url.searchParams.get('tls') !== 'none',
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    from: url.searchParams.get('from') ?? `appwarden@${url.hostname}`,
  }
}

/** Sends one plain text mail, with a file where one is given; answers what the server said. Throws Error where it was not taken. */
export async function sendMail(
  server: MailServer,
  mail: {
    to: readonly string[]
    subject: string
    text: string
    id: string
    attachment?: { name: string; type: string; content: Buffer }
  },
  /** Certificates to trust besides the system's: tests. */
  ca?: string,
): Promise<string> {
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.startTls,
    ignoreTLS: !server.secure && !server.startTls,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(server.user && { auth: { user: server.user, pass: server.password } }),
    ...(ca && { tls: { ca } }),
  })
  try {
    const sent = await transport.sendMail({
      from: server.from,
      to: [...mail.to],
      subject: mail.subject.replace(/[\r\n]+/g, ' '),
      text: mail.text,
      messageId: `<${mail.id}@appwarden>`,
      ...(mail.attachment && {
        attachments: [
          { filename: mail.attachment.name, contentType: mail.attachment.type, content: mail.attachment.content },
        ],
      }),
    })
    return sent.response ?? ''
  } finally {
    transport.close()
  }
}

/** The addresses of a mail channel, or undefined if one of them is not an address. */
export function mailAddresses(target: string): string[] | undefined {
  const all = target
    .split(/[,;\s]+/)
    .map((one) => one.trim())
    .filter(Boolean)
  const good =
    all.length > 0 &&
    all.length <= 20 &&
    all.every((one) => /^[^\s@<>"',;:()[\]\\]{1,64}@[^\s@<>"',;:()[\]\\]{1,190}$/.test(one))
  return good ? all : undefined
}
