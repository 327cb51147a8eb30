import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { SdkManifest } from '#contracts/http/sdk.ts'
import { PAGES } from '#contracts/pages.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { guideTexts } from './guide-texts.ts'
import {
  ANDROID_CONSENT,
  androidBuild,
  androidStart,
  serverMany,
  serverPost,
  WEB_CONSENT,
  webPolicy,
  webScript,
} from './snippets.ts'

/** `code`: the public key as the snippets contain it, a placeholder until one exists. */
type Facts = { endpoint: string; code: string; manifest: SdkManifest | null }

export function WebSteps({ endpoint, code, manifest }: Facts) {
  const t = useTexts(guideTexts)
  const file = manifest?.files.find(({ id }) => id === 'web-script') ?? { name: 'appwarden-web.js', integrity: '…' }
  return (
    <Steps>
      <Step title={t('getFile')} text={t('webGetText')}>
        <More to={PAGES.sdk.path} text={t('toDownloads')} />
      </Step>
      <Step title={t('webStart')} text={t('webStartText')}>
        <CodeBlock title="HTML" text={webScript(file, endpoint, code)} />
      </Step>
      <Step title={t('webConsent')} text={t('webConsentText')}>
        <CodeBlock title="JavaScript" text={WEB_CONSENT} />
      </Step>
      <Step title={t('webPolicy')} text={t('webPolicyText')}>
        <CodeBlock title="HTTP" text={webPolicy(endpoint)} />
      </Step>
    </Steps>
  )
}

export function AndroidSteps({ endpoint, code, manifest }: Facts) {
  const t = useTexts(guideTexts)
  return (
    <Steps>
      <Step title={t('getFile')} text={t('androidGetText')}>
        <More to={PAGES.sdk.path} text={t('toDownloads')} />
      </Step>
      <Step title={t('androidBuild')} text={t('androidBuildText')}>
        <CodeBlock title="Gradle, XML" text={androidBuild(manifest?.version ?? '')} />
      </Step>
      <Step title={t('androidStart')} text={t('androidStartText')}>
        <CodeBlock title="Java" text={androidStart(endpoint, code)} />
      </Step>
      <Step title={t('androidConsent')} text={t('androidConsentText')}>
        <CodeBlock title="Java" text={ANDROID_CONSENT} />
      </Step>
    </Steps>
  )
}

export function ServerSteps({ endpoint, eventId }: { endpoint: string; eventId: string }) {
  const t = useTexts(guideTexts)
  return (
    <Steps>
      <Step title={t('serverKey')} text={t('serverKeyText')}>
        <More to={`${PAGES.settings.path}?tab=keys`} text={t('toKeys')} />
      </Step>
      <Step title={t('serverPost')} text={t('serverPostText')}>
        <CodeBlock title="curl" text={serverPost(endpoint, eventId)} />
      </Step>
      <Step title={t('serverMany')} text={t('serverManyText')}>
        <CodeBlock title="curl" text={serverMany(endpoint)} />
      </Step>
    </Steps>
  )
}

function Steps({ children }: { children: ReactNode }) {
  return <ol className="flex flex-col gap-5 py-5 [counter-reset:step]">{children}</ol>
}

function Step({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li className="relative pl-10 [counter-increment:step] before:absolute before:top-0 before:left-0 before:flex before:size-6 before:items-center before:justify-center before:rounded-full before:bg-selected before:text-12 before:font-semibold before:text-brand-text before:content-[counter(step)]">
      <h3 className="text-14/6 font-semibold">{title}</h3>
      <p className="text-muted">{text}</p>
      {children}
    </li>
  )
}

function More({ to, text }: { to: string; text: string }) {
  return (
    <Link to={to} className="mt-1 inline-block text-brand-text hover:underline">
      {text}
    </Link>
  )
}
