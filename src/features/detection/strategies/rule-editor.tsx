import { useState } from 'react'
import { FINDING_LEVELS, type FindingLevel } from '#contracts/detection/kinds.ts'
import { type OwnRuleRow, ownRules, saveOwnRule } from '#contracts/http/detection/rules.ts'
import { detectionItems } from '#contracts/http/detection/tasks.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { FINDING_LEVEL_ORDER } from '#src/features/detection/parts/finding-level.tsx'
import { useAction } from '#src/shared/api/use-action.ts'
import { useBasis } from '#src/shared/api/use-basis.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { OutdatedBar } from '#src/shared/ui/outdated-bar.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { RuleTester } from './rule-tester.tsx'
import { rulesTexts } from './rules-texts.ts'

type Questions = ResponseOf<typeof ownRules>['questions']

/** One own rule: what it is called, what it asks, and beside it the bench that tries it on a package. */
export function RuleEditor({
  rule,
  questions,
  onClose,
}: {
  rule: OwnRuleRow | undefined
  questions: Questions
  onClose: () => void
}) {
  const t = useTexts(rulesTexts)
  const language = useLanguage()
  const [name, setName] = useState(rule?.name ?? '')
  const [level, setLevel] = useState<FindingLevel>(rule?.level ?? 'middle')
  const [expression, setExpression] = useState(rule?.expression ?? '')
  const [threat, setThreat] = useState(rule?.threat ?? '')
  const [advice, setAdvice] = useState(rule?.advice ?? '')
  const [enabled, setEnabled] = useState(rule?.enabled ?? true)
  const [asked, setAsked] = useState(false)
  const save = useAction(saveOwnRule, {
    refreshes: [ownRules, detectionItems],
    onSuccess: () => {
      toast.success(t('saved'))
      onClose()
    },
  })
  const basis = useBasis(rule, (one) => one?.rev)
  const isOutdated = basis.isOutdated && !save.isPending
  const submit = () => {
    setAsked(true)
    if (!name.trim() || !expression.trim() || isOutdated) return
    const own = basis.row ? { id: basis.row.id, rev: basis.row.rev } : {}
    save.mutate({
      body: {
        ...own,
        name: name.trim(),
        level,
        expression: expression.trim(),
        threat: threat.trim(),
        advice: advice.trim(),
        enabled,
      },
    })
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={rule?.name ?? t('create')}
      width={1040}
      footer={
        <>
          <span className="mr-auto">
            <Checkbox isSelected={enabled} onChange={setEnabled}>
              {t('enabled')}
            </Checkbox>
          </span>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button variant="primary" isDisabled={save.isPending || isOutdated} onPress={submit}>
            {t('save')}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-2 gap-6 max-lg:grid-cols-1">
        {isOutdated && (
          <div className="col-span-full">
            <OutdatedBar onKeep={basis.keepMine} onDiscard={onClose} />
          </div>
        )}
        <div className="flex flex-col gap-3">
          <TextField
            label={t('name')}
            value={name}
            onChange={setName}
            maxLength={100}
            autoFocus={!rule}
            error={asked && !name.trim() ? t('nameEmpty') : undefined}
          />
          <div>
            <p className="pb-1.5">{t('level')}</p>
            <SegmentedControl
              label={t('level')}
              value={level}
              onChange={setLevel}
              items={FINDING_LEVEL_ORDER.map((id) => ({ id, label: FINDING_LEVELS[id][language] }))}
            />
          </div>
          <TextField
            label={t('expression')}
            value={expression}
            onChange={setExpression}
            rows={5}
            maxLength={4000}
            mono
            error={asked && !expression.trim() ? t('expressionEmpty') : undefined}
          />
          <TextField label={t('threat')} value={threat} onChange={setThreat} rows={2} maxLength={1000} />
          <TextField label={t('advice')} value={advice} onChange={setAdvice} rows={2} maxLength={1000} />
        </div>
        <RuleTester
          expression={expression}
          questions={questions}
          onInsert={(text) => setExpression(expression.trim() ? `${expression.trimEnd()} ${text}` : text)}
        />
      </div>
    </Dialog>
  )
}
