import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { LegalText } from '#src/shared/ui/legal-text.tsx'
import { legalTexts } from '#src/shared/ui/legal-texts.ts'

export default function LegalDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTexts(legalTexts)
  return (
    <Dialog
      title={t('title')}
      isOpen={isOpen}
      onOpenChange={onClose}
      width={640}
      footer={
        <Button variant="primary" onPress={onClose}>
          {t('close')}
        </Button>
      }
    >
      <LegalText />
    </Dialog>
  )
}
