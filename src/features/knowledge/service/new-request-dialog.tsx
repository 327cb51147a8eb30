import { useEffect, useState } from 'react'
import { detectionTasks } from '#contracts/http/detection/tasks.ts'
import {
  ATTACHMENT_LIMITS,
  createServiceRequest,
  SERVICE_TEXT,
  serviceRequest,
  serviceRequests,
} from '#contracts/http/service.ts'
import {
  SERVICE_KIND_NAMES,
  SERVICE_KINDS,
  SERVICE_URGENCIES,
  SERVICE_URGENCY_NAMES,
  type ServiceKind,
  type ServiceUrgency,
} from '#domain/service-requests.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime, formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { AttachButton, AttachmentChips, pastedFiles } from './attachment-picker.tsx'
import { HelpfulArticles } from './helpful-articles.tsx'
import { requestName } from './request-words.ts'
import { serviceTexts } from './service-texts.ts'
import { useAttachments } from './use-attachments.ts'

const NONE = 'none'
const TYPING_MS = 500
const TASKS = 50

/** A new request; articles that may make it needless show while the subject is typed. */
export function NewRequestDialog({
  attachmentDays,
  onClose,
  onDone,
}: {
  attachmentDays: number
  onClose: () => void
  onDone: (id: string) => void
}) {
  const t = useTexts(serviceTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const applications = useApplications((state) => state.list) ?? []
  const current = useApplications((state) => state.current)
  const [subject, setSubject] = useState('')
  const [kind, setKind] = useState<ServiceKind>('question')
  const [urgency, setUrgency] = useState<ServiceUrgency>('normal')
  const [appid, setAppid] = useState(applications.some(({ id }) => id === current) ? current : NONE)
  const [task, setTask] = useState(NONE)
  const [text, setText] = useState('')
  const files = useAttachments()
  const typed = useSettled(subject)
  const maySeeTasks = useMay('detect.view') && appid !== NONE
  const tasks = useEndpoint(detectionTasks, { query: { appid, limit: TASKS } }, { enabled: maySeeTasks })
  const create = useAction(createServiceRequest, {
    refreshes: [serviceRequests, serviceRequest],
    onSuccess: ({ data }) => {
      toast.success(t('submitted', { name: requestName(data.id) }))
      onDone(data.id)
    },
  })
  const { reply, solve } = SERVICE_URGENCIES[urgency]
  const found = tasks.data?.data ?? []
  return (
    <FormDialog
      title={t('fresh')}
      width={640}
      submitLabel={t('submit')}
      isDisabled={subject.trim() === '' || text.trim() === '' || create.isPending || files.sending !== null}
      onSubmit={() =>
        create.mutate({
          body: {
            ...{ subject, kind, urgency, text },
            appid: appid === NONE ? '' : appid,
            task: maySeeTasks && task !== NONE ? task : '',
            attachments: files.files.map(({ id }) => id),
          },
        })
      }
      onClose={onClose}
    >
      <TextField
        label={t('subject')}
        value={subject}
        onChange={setSubject}
        maxLength={SERVICE_TEXT.subject}
        isRequired
        autoFocus
      />
      {typed.trim().length > 3 && <HelpfulArticles subject={typed} blank />}
      <div className="grid grid-cols-2 items-start gap-4 max-sm:grid-cols-1">
        <Select
          label={t('kind')}
          value={kind}
          onChange={setKind}
          items={SERVICE_KIND_NAMES.map((id) => ({ id, label: SERVICE_KINDS[id][language] }))}
        />
        <div>
          <Select
            label={t('urgency')}
            value={urgency}
            onChange={setUrgency}
            items={SERVICE_URGENCY_NAMES.map((id) => ({ id, label: SERVICE_URGENCIES[id][language] }))}
          />
          <p className="mt-1 text-12 text-muted">
            {t('urgencyNote', { reply: formatDuration(reply, language), solve: formatDuration(solve, language) })}
          </p>
        </div>
        {applications.length > 0 && (
          <Select
            label={t('application')}
            value={appid}
            onChange={(id) => {
              setAppid(id)
              setTask(NONE)
            }}
            items={[
              { id: NONE, label: t('noApplication') },
              ...applications.map(({ id, name }) => ({ id, label: name })),
            ]}
          />
        )}
        {maySeeTasks && found.length > 0 && (
          <Select
            label={t('task')}
            value={task}
            onChange={setTask}
            items={[
              { id: NONE, label: t('noTask') },
              ...found.map(({ id, name, version, created_at }) => ({
                id: id as string,
                label: `${name} ${version}`.trim(),
                note: formatDateTime(created_at, zone, 'minute', Date.now()),
              })),
            ]}
          />
        )}
      </div>
      {appid !== NONE && <p className="text-12 text-muted">{t('visible')}</p>}
      <div
        onPaste={(event) => {
          const pasted = pastedFiles(event.clipboardData)
          if (pasted.length === 0) return
          event.preventDefault()
          files.add(pasted)
        }}
      >
        <TextField
          label={t('text')}
          note={t('textHint')}
          rows={6}
          value={text}
          onChange={setText}
          maxLength={SERVICE_TEXT.message}
          isRequired
        />
      </div>
      <div className="space-y-2">
        <AttachmentChips of={files} />
        <div className="flex items-center gap-2">
          <AttachButton of={files} />
          <span className="text-12 text-muted">
            {t('attachNote', {
              mb: ATTACHMENT_LIMITS.bytes / 2 ** 20,
              count: ATTACHMENT_LIMITS.message,
              days: attachmentDays,
            })}
          </span>
        </div>
      </div>
    </FormDialog>
  )
}

/** The value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
