import { useState } from 'react'
import type { TournamentWithParts } from '../../../../client/generated.ts'
import { tournamentAddress, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { Field, Form, Save } from '../../parts/form/form.tsx'
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
      <Field
        name="chatWebhookUrl"
        label={words('settings.webhook')}
        hint={words(chatWebhookUrl === null ? 'settings.webhook-none' : 'settings.webhook-set')}
      >
        {(of) => (
          <input
            {...of}
            className="in"
            type="url"
            autoComplete="off"
            value={main}
            onChange={({ target }) => setMain(target.value)}
          />
        )}
      </Field>
      {chatWebhookUrl !== null && (
        <p>
          <button
            type="button"
            className="btn btn-quiet"
            disabled={save.isSending}
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
              <Field name={`chatWebhooks.${index}.label`} label={words('settings.webhook-label')} isRequired>
                {(of) => (
                  <input
                    {...of}
                    className="in"
                    required
                    maxLength={50}
                    value={label}
                    onChange={({ target }) => change(index, { label: target.value })}
                  />
                )}
              </Field>
              <Field name={`chatWebhooks.${index}.url`} label={words('settings.webhook-url')}>
                {(of) => (
                  <input
                    {...of}
                    className="in"
                    type="url"
                    autoComplete="off"
                    placeholder={url === null ? words('settings.webhook-kept') : ''}
                    value={url ?? ''}
                    onChange={({ target }) => change(index, { url: target.value })}
                  />
                )}
              </Field>
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
