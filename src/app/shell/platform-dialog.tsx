import { useState } from 'react'
import { readSettings, type Settings, saveSettings } from '#contracts/http/settings.ts'
import { PRODUCTS } from '#contracts/product-names.ts'
import { call } from '#src/shared/api/call.ts'
import { loadPlatform } from '#src/shared/api/session.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { defineTexts, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'

const texts = defineTexts('platform-dialog', {
  title: { zh: '自定义平台信息', en: 'Customize platform information' },
  product: { zh: '产品形态', en: 'Product' },
  name: { zh: '显示名称', en: 'Shown name' },
  nameNote: { zh: '留空则使用产品形态的名称', en: 'Empty: the name of the product' },
  files: {
    zh: 'logo 与报告模板文件（最多 5 个）随报告管理提供，目前尚未提供。',
    en: 'Logo and report template files (at most 5) come with report management and are not built yet.',
  },
  forbidden: {
    zh: '保存需要“平台设置”权限（platform.settings），由平台管理员授予。',
    en: 'Saving needs the permission "Platform settings" (platform.settings), granted by a platform administrator.',
  },
  cancel: { zh: '取消', en: 'Cancel' },
  save: { zh: '保存', en: 'Save' },
  saved: { zh: '已保存', en: 'Saved' },
})

/** Visible to all; saving needs the permission (decision 11). */
export function PlatformDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const shown = usePlatform((state) => state.product)
  const maySave = useMay('platform.settings')
  const answer = useEndpoint(readSettings, {}, { enabled: maySave })
  const saved = answer.data?.data
  const [draft, setDraft] = useState<Partial<Pick<Settings, 'product' | 'product_name'>>>({})
  const product = draft.product ?? saved?.product ?? 'AppWarden'
  const name = draft.product_name ?? saved?.product_name ?? (maySave ? '' : shown)

  async function save(): Promise<void> {
    await call(saveSettings, { body: { product, product_name: name } })
    await loadPlatform()
    toast.success(t('saved'))
    onClose()
  }

  return (
    <Dialog
      title={t('title')}
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button
            variant="primary"
            isDisabled={!maySave || !saved}
            {...(!maySave && { title: t('forbidden') })}
            onPress={() => void save().catch(() => undefined)}
          >
            {t('save')}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        {!maySave && <p className="rounded bg-canvas px-3 py-2 text-muted">{t('forbidden')}</p>}
        {maySave && (
          <Select
            label={t('product')}
            value={product}
            onChange={(value) => setDraft({ ...draft, product: value })}
            items={(Object.keys(PRODUCTS) as Settings['product'][]).map((id) => ({
              id,
              label: PRODUCTS[id][language],
            }))}
          />
        )}
        <TextField
          label={t('name')}
          value={name}
          onChange={(value) => setDraft({ ...draft, product_name: value })}
          note={t('nameNote')}
          maxLength={40}
          isDisabled={!maySave}
        />
        <p className="text-12 text-muted">{t('files')}</p>
      </div>
    </Dialog>
  )
}
