import { useQueryClient } from '@tanstack/react-query'
import { type AppFile, delFile, fileDetail, fileManage, pushFile, showFile } from '#contracts/http/assets.ts'
import { call } from '#src/shared/api/call.ts'
import { endpointKey } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { assetTexts } from './asset-texts.ts'

/** Answers that hold application files. */
export const FILE_ANSWERS = [fileManage, showFile, fileDetail]

/** The actions on a file, wherever it is listed; each resolves to whether it was done. */
export function useFileActions() {
  const t = useTexts(assetTexts)
  const client = useQueryClient()
  const refresh = () => Promise.all(FILE_ANSWERS.map((one) => client.invalidateQueries({ queryKey: endpointKey(one) })))

  return {
    refresh,
    async remove(file: AppFile): Promise<boolean> {
      if (!(await confirmDeletion({ title: t('removeTitle'), text: t('removeText'), action: t('remove') })))
        return false
      await call(delFile, { body: { id: file.id } })
      deleted()
      client.removeQueries({ queryKey: endpointKey(fileDetail, { query: { id: file.id } }) })
      await refresh()
      return true
    },
    async push(file: AppFile, pushed: boolean): Promise<boolean> {
      try {
        await call(pushFile, { body: { id: file.id, pushed } })
      } catch {
        return false // said by the call
      }
      toast.success(pushed ? t('pushedNow', { version: file.version }) : t('takenBack'))
      await refresh()
      return true
    },
  }
}
