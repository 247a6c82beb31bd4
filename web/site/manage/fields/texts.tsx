import { words } from '../../data/words.ts'
import { TextField } from '../../parts/form/fields.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import type { SettingsValues } from '../settings-values.ts'

/** What a tournament says of itself, and where else it is. */

interface Props {
  readonly form: FormState<SettingsValues>
}

export function TextFields({ form }: Props) {
  return (
    <>
      <TextField
        form={form}
        name="summary"
        label={words('settings.summary')}
        hint={words('settings.summary-hint')}
        maxLength={280}
      />
      <TextField
        form={form}
        name="description"
        label={words('settings.description')}
        hint={words('form.markdown')}
        rows={8}
      />
      <TextField form={form} name="prizes" label={words('settings.prizes')} hint={words('form.markdown')} rows={3} />
    </>
  )
}

export function LinkFields({ form }: Props) {
  return (
    <>
      <TextField form={form} name="links.website" type="url" label={words('settings.website')} />
      <TextField form={form} name="links.chatInvite" type="url" label={words('settings.chat-invite')} />
      <TextField form={form} name="links.stream" type="url" label={words('settings.stream')} />
    </>
  )
}

export function RulesFields({ form }: Props) {
  return (
    <>
      <TextField form={form} name="rules" label={words('settings.rules')} hint={words('form.markdown')} rows={12} />
      <TextField
        form={form}
        name="links.rulesUrl"
        type="url"
        label={words('settings.rules-url')}
        hint={words('settings.rules-url-hint')}
      />
    </>
  )
}
