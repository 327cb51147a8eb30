import { afterEach, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '#mocks/mail-server/mail-server.ts'
import { selfSigned } from '../../platform/tls/self-signed.ts'
import { mailAddresses, readMailServer, sendMail } from './send-mail.ts'

let running: MailServer | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
})
const certificate = await selfSigned(['localhost', '127.0.0.1'], 30, Date.now())
const mail = { to: ['soc@example.com'], subject: '严重告警\r\nBcc: x@y', text: '一行\n.\nend', id: 'd1' }

test('over TLS from the first byte, with name and password', async () => {
  running = await startMailServer({ certificate, secure: true })
  const server = readMailServer(`smtps://us%40er:pa%3Ass@localhost:${running.port}/?from=aw@example.com`)
  expect(await sendMail(server, mail, certificate.cert)).toContain('250')
  const [taken] = running.taken
  expect(taken).toMatchObject({ from: 'aw@example.com', to: ['soc@example.com'], secure: true, user: 'us@er' })
  // A line break in a subject begins no header.
  expect(taken?.text).not.toMatch(/^Bcc:/m)
})

test('smtp:// demands STARTTLS: a server without it or with an untrusted certificate gets no mail', async () => {
  running = await startMailServer()
  await expect(sendMail(readMailServer(`smtp://localhost:${running.port}`), mail)).rejects.toThrow()
  expect(running.taken).toEqual([])
  await running.close()
  running = await startMailServer({ certificate })
  const server = readMailServer(`smtp://localhost:${running.port}`)
  await expect(sendMail(server, mail)).rejects.toThrow()
  expect(running.taken).toEqual([])
  await sendMail(server, mail, certificate.cert)
  expect(running.taken).toMatchObject([{ secure: true }])
})

test('tls=none is for a relay on the same machine; a refusal is reported in the words of the server', async () => {
  running = await startMailServer()
  const server = readMailServer(`smtp://localhost:${running.port}?tls=none`)
  await sendMail(server, mail)
  expect(running.taken).toMatchObject([{ secure: false, from: 'appwarden@localhost' }])
  await expect(sendMail(server, { ...mail, to: ['refuse@example.com'] })).rejects.toThrow(/no such mailbox/)
})

test('the variable is checked in one line, addresses one by one', () => {
  for (const bad of ['', 'mail.example', 'http://mail.example', 'smtp://'])
    expect(() => readMailServer(bad)).toThrow(/APPWARDEN_SMTP_URL/)
  expect(mailAddresses('a@b.cn, c@d.example;e@f.io')).toEqual(['a@b.cn', 'c@d.example', 'e@f.io'])
  for (const bad of ['', 'a', 'a@b.cn, c', 'a@b\r\nBcc: c@d', '"x" <a@b.cn>', Array(21).fill('a@b.cn').join(',')])
    expect(mailAddresses(bad), bad).toBeUndefined()
})
