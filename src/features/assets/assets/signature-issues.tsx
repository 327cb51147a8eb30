import { useTexts } from '#src/shared/i18n/texts.ts'
import type { FileDetail } from './compare-files.ts'
import { fileTexts } from './file-texts.ts'
import { issueTexts } from './issue-texts.ts'

type Issue = FileDetail['facts']['signature_issues'][number]
/** Of one kind, before the others fold away: an old signer leaves every file of META-INF unprotected. */
const SHOWN = 2

/** What is wrong with a signature, errors first, by kind. */
export function SignatureIssues({ issues }: { issues: readonly Issue[] }) {
  const t = useTexts(fileTexts)
  const name = useTexts(issueTexts)
  const kinds = new Map<string, Issue[]>()
  for (const one of issues) {
    const kind = `${one.severity === 'error' ? 0 : 1} ${one.key}`
    const list = kinds.get(kind)
    if (list) list.push(one)
    else kinds.set(kind, [one])
  }
  return (
    <>
      <h3 className="px-5 pt-2 text-12 font-semibold">
        {t('issues')} <span className="font-normal text-muted">{issues.length}</span>
      </h3>
      <ul className="flex flex-col gap-2 px-5 pt-1 pb-4 text-12">
        {[...kinds]
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([kind, list]) => (
            <li key={kind} className={list[0]?.severity === 'error' ? 'text-bad-text' : 'text-muted'}>
              {list[0] && list[0].key in issueTexts.entries && (
                <span className="pr-2 font-semibold">{name(list[0].key as keyof typeof issueTexts.entries)}</span>
              )}
              <code>{list[0]?.key}</code>
              <Details list={list.slice(0, SHOWN)} />
              {list.length > SHOWN && (
                <details>
                  <summary className="cursor-pointer text-brand-text">
                    {t('moreIssues', { count: list.length - SHOWN })}
                  </summary>
                  <Details list={list.slice(SHOWN)} />
                </details>
              )}
            </li>
          ))}
      </ul>
    </>
  )
}

function Details({ list }: { list: readonly Issue[] }) {
  return list.map(({ detail }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: issues may repeat and never move
    <p key={at} className="[overflow-wrap:anywhere]">
      {detail}
    </p>
  ))
}
