import { useState } from 'react'
import type { TournamentWithParts } from '../../../../client/generated.ts'
import { tournamentAddress, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { TextField, TextValue } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Empty } from '../../parts/loaded.tsx'
import styles from './settings.module.css'

/** The chat channels that updates and announcements go to. Their addresses are secret: they are sent, and never shown. */

interface Hook {
  readonly label: string
  /** null keeps the address that the label has. */
  readonly url: string | null
}

export function ChatFields({ tournament }: { readonly tournament: TournamentWithParts }) {
  const { guid, language, chatWebhookUrl = null, chatWebhooks = [] } = tournament
  const at = useTournamentId()
  const [main, setMain] = useState('')
  const [hooks, setHooks] = useState<readonly Hook[] | null>(null)
  const form = useForm({ key: `chat-${guid}`, saved: { language } })
  const save = useWrite('PATCH /tournaments/{tournament}', (known, record) => {
    setMain('')
    setHooks(null)
    form.take()
    known.change(tournamentAddress(at), (before) => ({ ...before, ...record }))
  })
  const shown: readonly Hook[] = hooks ?? chatWebhooks.map(({ label }) => ({ label, url: null }))
  const change = (index: number, part: Partial<Hook>) =>
    setHooks(shown.map((each, place) => (place === index ? { ...each, ...part } : each)))
  const submit = () =>
    save.send({
      params: { tournament: guid },
      body: {
        ...form.changed,
        ...(main !== '' && { chatWebhookUrl: main }),
        ...(hooks !== null && {
          chatWebhooks: hooks.map(({ label, url }) => ({ label, ...(url !== null && { url }) })),
        }),
      },
    })
  const isChanged = main !== '' || hooks !== null || form.isChanged
  return (
    <Form error={save.error} isChanged={isChanged} onSubmit={submit}>
      <TextField
        form={form}
        name="language"
        label={words('settings.language')}
        hint={words('settings.language-hint')}
        maxLength={35}
      />
      <TextValue
        name="chatWebhookUrl"
        type="url"
        label={words('settings.webhook')}
        hint={words(chatWebhookUrl === null ? 'settings.webhook-none' : 'settings.webhook-set')}
        value={main}
        change={setMain}
      />
      {chatWebhookUrl !== null && (
        <p>
          <button
            type="button"
            className="btn btn-quiet"
            aria-disabled={save.isSending}
            onClick={() => void save.send({ params: { tournament: guid }, body: { chatWebhookUrl: null } })}
          >
            {words('settings.webhook-remove')}
          </button>
        </p>
      )}
      <fieldset>
        <legend className="strong">{words('settings.webhooks')}</legend>
        {shown.length === 0 && <Empty>{words('settings.no-webhooks')}</Empty>}
        <ul className="lines">
          {shown.map(({ label, url }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a label is edited in place
            <li key={index} className={styles.hook}>
              <TextValue
                name={`chatWebhooks.${index}.label`}
                label={words('settings.webhook-label')}
                isRequired
                maxLength={50}
                value={label}
                change={(text) => change(index, { label: text })}
              />
              <TextValue
                name={`chatWebhooks.${index}.url`}
                type="url"
                label={words('settings.webhook-url')}
                placeholder={url === null ? words('settings.webhook-kept') : ''}
                value={url ?? ''}
                change={(text) => change(index, { url: text })}
              />
              <button
                type="button"
                className="btn btn-quiet"
                onClick={() => setHooks(shown.filter((_, place) => place !== index))}
              >
                {words('settings.remove')}
                <span className="unseen">{label}</span>
              </button>
            </li>
          ))}
        </ul>
        <button type="button" className="btn" onClick={() => setHooks([...shown, { label: '', url: '' }])}>
          {words('settings.add-webhook')}
        </button>
      </fieldset>
      <Save isSending={save.isSending} isSaved={save.isDone && !isChanged} isDisabled={!isChanged}>
        {words('settings.save-chat')}
      </Save>
    </Form>
  )
}
