import { useState } from 'react'
import type { AssistantLink } from '../../../../client/generated.ts'
import { useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { CheckField, NumberField, SelectField, TextField } from '../../parts/form/fields.tsx'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import manage from '../manage.module.css'
import { SaveBar } from '../save-bar.tsx'
import styles from './assistant.module.css'
import { Choices, Remove, SecretField } from './link-parts.tsx'
import { linkAddress } from './page.tsx'

/** The link as its managers set it. Secrets are typed, kept by no page, and never shown again. (AS1, AS2) */

interface Values {
  readonly host: string
  readonly port: number | null
  readonly certificate: string
  readonly tournamentGuid: string
  readonly tournamentName: string
  readonly tokenKind: 'own' | 'bot' | 'readonly'
  readonly versionCode: number | null
  readonly qualifierEvents: string
  readonly bannedMods: string
  readonly enabled: boolean
  readonly allowModify: boolean
  readonly playMode: 'now' | 'held' | 'synced'
  readonly readyCheck: boolean
  readonly prompt: string
  readonly loadSeconds: number | null
  readonly autoAccept: boolean
  readonly acceptSeconds: number | null
}

const fresh: Values = {
  ...{ host: '', port: 8676, certificate: 'public', tournamentGuid: '', tournamentName: '', tokenKind: 'own' },
  ...{ versionCode: null, qualifierEvents: '', bannedMods: '', enabled: true, allowModify: false, playMode: 'now' },
  ...{ readyCheck: false, prompt: '', loadSeconds: 100, autoAccept: false, acceptSeconds: 5 },
}

function valuesOf({
  host,
  port,
  certificate,
  assistantTournament,
  defaults,
  qualifierEvents,
  bannedMods,
  ...link
}: AssistantLink): Values {
  const { guid, name } = assistantTournament
  return {
    ...{ host, port, certificate, tournamentGuid: guid === unknown ? '' : guid, tournamentName: name },
    ...{
      tokenKind: link.tokenKind,
      versionCode: link.versionCode,
      enabled: link.enabled,
      allowModify: link.allowModify,
    },
    ...{ qualifierEvents: qualifierEvents.join('\n'), bannedMods: bannedMods.join('\n') },
    ...{
      playMode: defaults.playMode,
      readyCheck: defaults.readyCheck,
      prompt: defaults.prompt,
      autoAccept: defaults.autoAccept,
    },
    ...{ loadSeconds: defaults.loadTimeoutMs / 1_000, acceptSeconds: defaults.autoAcceptMs / 1_000 },
  }
}

/** Until a test has told which tournaments there are. */
const unknown = 'unknown'
const linesOf = (text: string) => text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
const noSecrets = { token: '', password: '', hookSecret: '' }

export function LinkForm({ link }: { readonly link: AssistantLink | null }) {
  const tournament = useTournamentId()
  const { data } = useTournament()
  const form = useForm<Values>({ key: `assistant-${tournament}`, saved: link === null ? fresh : valuesOf(link) })
  const [secrets, setSecrets] = useState(noSecrets)
  const { values } = form
  const save = useWrite('PUT /tournaments/{tournament}/assistant', (known, saved) => {
    form.take()
    setSecrets(noSecrets)
    known.put(linkAddress(tournament), saved)
  })
  const isTyped = Object.values(secrets).some((text) => text !== '')
  const secret = (name: keyof typeof noSecrets) => (secrets[name] === '' ? {} : { [name]: secrets[name] })
  const submit = () =>
    save.send({
      params: { tournament },
      body: {
        ...{
          host: values.host.trim(),
          port: values.port ?? 8676,
          certificate: values.certificate.trim(),
          tls: link?.tls ?? true,
        },
        assistantTournament: { guid: values.tournamentGuid.trim() || unknown, name: values.tournamentName },
        ...{
          tokenKind: values.tokenKind,
          versionCode: values.versionCode,
          enabled: values.enabled,
          allowModify: values.allowModify,
        },
        ...{ qualifierEvents: linesOf(values.qualifierEvents), bannedMods: linesOf(values.bannedMods) },
        ...{ ...secret('token'), ...secret('password'), ...secret('hookSecret') },
        defaults: {
          ...{
            playMode: values.playMode,
            readyCheck: values.readyCheck,
            prompt: values.prompt,
            autoAccept: values.autoAccept,
          },
          ...{ loadTimeoutMs: (values.loadSeconds ?? 100) * 1_000, autoAcceptMs: (values.acceptSeconds ?? 5) * 1_000 },
        },
      },
    })
  const moves = link !== null && ['host', 'port', 'certificate'].some((name) => name in form.changed)
  const hasSecrets = link !== null && (link.token.configured || link.password.configured)
  const field = (name: keyof typeof noSecrets, isThere: boolean) => (
    <SecretField
      name={name}
      isThere={isThere && !(moves && name !== 'hookSecret')}
      value={secrets[name]}
      set={(text) => setSecrets({ ...secrets, [name]: text })}
    />
  )
  return (
    <details className={styles.set} open={link === null || form.isChanged}>
      <summary>{words(link === null ? 'assistant.set' : 'assistant.change')}</summary>
      <Form error={save.error} isChanged={form.isChanged || isTyped} onSubmit={submit}>
        <div className={manage.fields}>
          <TextField form={form} name="host" label={words('assistant.host')} isRequired maxLength={253} />
          <NumberField form={form} name="port" label={words('assistant.port')} min={1} max={65_535} />
          <TextField
            form={form}
            name="certificate"
            label={words('assistant.certificate')}
            hint={words('assistant.certificate-hint')}
            maxLength={128}
          />
          <SelectField
            form={form}
            name="tokenKind"
            label={words('assistant.kind')}
            options={(['own', 'bot', 'readonly'] as const).map((kind) => [kind, words(`assistant.kind-${kind}`)])}
          />
          {values.tokenKind === 'bot' && field('token', link?.token.configured === true)}
          {field('password', link?.password.configured === true)}
          <TextField
            form={form}
            name="tournamentGuid"
            label={words('assistant.tournament')}
            hint={words('assistant.tournament-hint')}
            maxLength={64}
          />
        </div>
        {moves && hasSecrets && <p className="notice notice-warning">{words('assistant.moves')}</p>}
        <Choices
          choose={(guid, name) => form.change({ tournamentGuid: guid, tournamentName: name })}
          chosen={values.tournamentGuid}
        />
        <CheckField form={form} name="enabled" label={words('assistant.enabled')} />
        <details className={styles.set}>
          <summary>{words('assistant.further')}</summary>
          <div className={manage.fields}>
            <NumberField
              form={form}
              name="versionCode"
              label={words('assistant.version-code')}
              hint={words('assistant.version-hint')}
              min={1_240}
              max={1_399}
            />
            <SelectField
              form={form}
              name="playMode"
              label={words('assistant.mode')}
              options={(['now', 'held', 'synced'] as const).map((mode) => [mode, words(`assistant.mode-${mode}`)])}
            />
            <NumberField form={form} name="loadSeconds" label={words('assistant.load')} min={10} max={180} />
            <TextField form={form} name="prompt" label={words('assistant.prompt')} maxLength={200} />
            <NumberField form={form} name="acceptSeconds" label={words('assistant.accept-after')} min={3} max={60} />
            {field('hookSecret', link?.hookSecret.configured === true)}
            <TextField
              form={form}
              name="bannedMods"
              label={words('assistant.mods')}
              hint={words('assistant.lines')}
              rows={3}
            />
            <TextField
              form={form}
              name="qualifierEvents"
              label={words('assistant.events')}
              hint={words('assistant.events-hint')}
              rows={3}
            />
          </div>
          <CheckField form={form} name="readyCheck" label={words('assistant.ready-check')} />
          <CheckField
            form={form}
            name="autoAccept"
            label={words('assistant.auto')}
            hint={words('assistant.auto-hint')}
          />
          <CheckField form={form} name="allowModify" label={words('assistant.modify')} />
        </details>
        {isTyped && !form.isChanged ? (
          <button type="submit" className="btn btn-primary" aria-disabled={save.isSending}>
            {words('form.save')}
          </button>
        ) : form.isChanged || link !== null ? (
          <SaveBar form={form} isSending={save.isSending} isDone={save.isDone} />
        ) : null}
      </Form>
      {link !== null && <Remove name={data?.name ?? ''} />}
    </details>
  )
}
