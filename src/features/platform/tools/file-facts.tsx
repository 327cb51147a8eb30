import type { InspectedPackage } from '#contracts/http/tools.ts'
import { formatBytes, formatExact } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import { toolsTexts } from './tools-texts.ts'

/** Name, size and digests, as rows of a `dl`. */
export function FileFacts({ file }: { file: InspectedPackage['file'] }) {
  const t = useTexts(toolsTexts)
  return (
    <>
      <Fact name={t('fileName')}>{file.name}</Fact>
      <Fact name={t('size')}>
        <span title={t('bytes', { number: formatExact(file.size) })}>{formatBytes(file.size)}</span>
      </Fact>
      {(['md5', 'sha1', 'sha256', 'sm3'] as const).map((name) => (
        <Fact key={name} name={{ md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256', sm3: 'SM3' }[name]}>
          <CopyText value={file[name]} />
        </Fact>
      ))}
    </>
  )
}
