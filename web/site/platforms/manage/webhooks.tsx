import type { OwnPlatform, PlatformSettings } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { CheckField, TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import styles from './manage.module.css'
import { hasConflict, settingsAddress, webhookEvents } from './reads.ts'
import { SigningSecret } from './signing-secret.tsx'
import { TryOut } from './try-out.tsx'

/** Where events of the platform are sent, and which. */

interface Props {
  readonly platform: OwnPlatform
  readonly settings: PlatformSettings
}

type EventName = (typeof webhookEvents)[number]
type Values = { readonly chatWebhookUrl: string; readonly customWebhookUrl: string } & {
  readonly [Name in EventName]: boolean
}

function valuesOf(settings: PlatformSettings): Values {
  const events = webhookEvents.map((name) => [name, settings.webhookEvents.includes(name)])
  return {
    chatWebhookUrl: settings.chatWebhookUrl ?? '',
    customWebhookUrl: settings.customWebhookUrl ?? '',
    ...(Object.fromEntries(events) as Readonly<Record<EventName, boolean>>),
  }
}

export function Webhooks({ platform, settings }: Props) {
  const { contextId } = platform
  const at = settingsAddress(contextId)
  // Who knows an address can post to it, so that no tab keeps one.
  const form = useForm({ key: null, saved: valuesOf(settings) })
  const save = useWrite('PUT /tournament-platforms/{platform}/settings', (known, saved) => {
    form.take()
    known.put(at, saved)
  })
  const submit = async () => {
    if (await hasConflict(form, at, valuesOf)) return
    const { chatWebhookUrl, customWebhookUrl } = form.changed
    const hasEvents = webhookEvents.some((name) => name in form.changed)
    await save.send({
      params: { platform: contextId },
      body: {
        ...(chatWebhookUrl !== undefined && { chatWebhookUrl }),
        ...(customWebhookUrl !== undefined && { customWebhookUrl }),
        ...(hasEvents && { webhookEvents: webhookEvents.filter((name) => form.values[name]) }),
      },
    })
  }
  const hasBoth = Object.keys(form.conflicts).length > 0
  const isSilent = webhookEvents.every((name) => !settings.webhookEvents.includes(name))
  const isSet = settings.chatWebhookUrl !== null || settings.customWebhookUrl !== null
  return (
    <Section title={words('managing.webhooks')}>
      <p className={`muted ${styles.intro}`}>{words('managing.webhooks-intro')}</p>
      {isSet && isSilent && <p className="notice notice-warning">{words('managing.no-events')}</p>}
      <Form error={save.error} isChanged={form.isChanged} onSubmit={submit} className={styles.form}>
        <TextField
          form={form}
          name="chatWebhookUrl"
          type="url"
          label={words('managing.chat-webhook')}
          hint={words('managing.chat-webhook-hint')}
          maxLength={500}
        />
        <TextField
          form={form}
          name="customWebhookUrl"
          type="url"
          label={words('managing.custom-webhook')}
          hint={words('managing.custom-webhook-hint')}
          maxLength={2_000}
        />
        <fieldset>
          <legend className="strong">{words('managing.events')}</legend>
          <div className={styles.events}>
            {webhookEvents.map((name) => (
              <CheckField key={name} form={form} name={name} label={words(`managing.event-${name}`)} />
            ))}
          </div>
        </fieldset>
        <Save
          isSending={save.isSending}
          isSaved={save.isDone && !form.isChanged}
          isDisabled={!form.isChanged || hasBoth}
        >
          {words('managing.save-webhooks')}
        </Save>
      </Form>
      <SigningSecret platform={contextId} isSet={settings.customWebhookSecret !== null} />
      <TryOut platform={contextId} isSet={isSet} />
    </Section>
  )
}
