import { useState } from 'react'
import type { StreamServer, Writes } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { CheckField, SelectField, TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import forms from '../form.module.css'
import type { ShownSecret } from './page.tsx'

/** Adds a media server, or changes one. What is typed is kept nowhere, since a password may be among it. */

const kinds = ['mediamtx', 'ovenmediaengine', 'srs', 'nginx-rtmp', 'generic'] as const
type Body = Writes['POST /admin/streamServers']['body']
type Protocol = Body['ingest'][number]['protocol']
const protocols: readonly Protocol[] = ['rtmp', 'rtmps', 'srt', 'whip']

interface Props {
  /** null for a new one. */
  readonly server: StreamServer | null
  /** The secret of a new one. */
  readonly done: (made: ShownSecret | null) => void
}

const valuesOf = (server: StreamServer | null) => {
  const urlOf = (protocol: Protocol) => server?.ingest.find((each) => each.protocol === protocol)?.url ?? ''
  return {
    name: server?.name ?? '',
    kind: server?.kind ?? 'mediamtx',
    enabled: server?.enabled ?? true,
    assignmentRequired: server?.assignmentRequired ?? false,
    rtmp: urlOf('rtmp'),
    rtmps: urlOf('rtmps'),
    srt: urlOf('srt'),
    whip: urlOf('whip'),
    whep: server?.play.whep ?? '',
    llhls: server?.play.llhls ?? '',
    hls: server?.play.hls ?? '',
    controlUrl: server?.control?.url ?? '',
    controlUser: server?.control?.user ?? '',
    controlPassword: '',
    vhost: server?.control?.vhost ?? '',
    app: server?.control?.app ?? '',
    networks: server?.networks.join('\n') ?? '',
  }
}

type Values = ReturnType<typeof valuesOf>

function bodyOf(values: Values): Omit<Body, 'kind'> {
  const { name, enabled, assignmentRequired, whep, llhls, hls, controlUrl, controlPassword } = values
  return {
    name,
    enabled,
    assignmentRequired,
    ingest: protocols.flatMap((protocol) => (values[protocol] === '' ? [] : [{ protocol, url: values[protocol] }])),
    play: { whep: whep || null, llhls: llhls || null, hls: hls || null },
    control:
      controlUrl === ''
        ? null
        : {
            url: controlUrl,
            user: values.controlUser || null,
            vhost: values.vhost || null,
            app: values.app || null,
            // Left out, the one that there is stays.
            ...(controlPassword !== '' && { password: controlPassword }),
          },
    networks: values.networks.split(/[\s,]+/).filter((each) => each !== ''),
  }
}

export function ServerForm({ server, done }: Props) {
  const [saved] = useState(() => valuesOf(server))
  const form = useForm<Values>({ key: null, saved })
  const create = useWrite('POST /admin/streamServers', (known, made) => {
    form.take()
    known.renew('/admin/streamServers')
    done({ server: made.name, secret: made.secret })
  })
  const change = useWrite('PATCH /admin/streamServers/{streamServer}', (known) => {
    form.take()
    known.renew('/admin/streamServers')
    done(null)
  })
  const submit = () => {
    const body = bodyOf(form.values)
    if (server === null) return void create.send({ params: {}, body: { ...body, kind: form.values.kind } })
    return void change.send({ params: { streamServer: server.guid }, body })
  }
  const hasIngest = protocols.some((protocol) => form.values[protocol] !== '')
  return (
    <Form error={create.error ?? change.error} onSubmit={submit} className={forms.form ?? ''}>
      <div className={forms.fields}>
        <TextField form={form} name="name" label={words('admin-streaming.name')} maxLength={60} isRequired />
        {server === null && (
          <SelectField
            form={form}
            name="kind"
            label={words('admin-streaming.kind')}
            options={kinds.map((each) => [each, each === 'generic' ? words('admin-streaming.generic') : each])}
          />
        )}
      </div>
      <fieldset>
        <legend className="strong">{words('admin-streaming.ingest')}</legend>
        <p className="small muted">{words('admin-streaming.ingest-hint')}</p>
        <div className={forms.fields}>
          {protocols.map((protocol) => (
            <TextField key={protocol} form={form} name={protocol as 'rtmp'} label={protocol.toUpperCase()} />
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend className="strong">{words('admin-streaming.play')}</legend>
        <p className="small muted">{words('admin-streaming.play-hint')}</p>
        <div className={forms.fields}>
          <TextField form={form} name="whep" label={words('admin-streaming.whep')} />
          <TextField form={form} name="llhls" label={words('admin-streaming.llhls')} />
          <TextField form={form} name="hls" label={words('admin-streaming.hls')} />
        </div>
      </fieldset>
      <fieldset>
        <legend className="strong">{words('admin-streaming.control')}</legend>
        <p className="small muted">{words('admin-streaming.control-hint')}</p>
        <div className={forms.fields}>
          <TextField form={form} name="controlUrl" type="url" label={words('admin-streaming.control-url')} />
          <TextField form={form} name="controlUser" label={words('admin-streaming.control-user')} />
          <TextField
            form={form}
            name="controlPassword"
            type="password"
            autoComplete="new-password"
            label={words('admin-streaming.control-password')}
            {...(server?.control?.password != null && { hint: words('admin-streaming.password-stays') })}
          />
          <TextField form={form} name="vhost" label={words('admin-streaming.vhost')} />
          <TextField form={form} name="app" label={words('admin-streaming.app')} />
        </div>
      </fieldset>
      <TextField
        form={form}
        name="networks"
        label={words('admin-streaming.networks')}
        hint={words('admin-streaming.networks-hint')}
        rows={2}
      />
      <CheckField form={form} name="enabled" label={words('admin-streaming.enabled')} />
      <CheckField
        form={form}
        name="assignmentRequired"
        label={words('admin-streaming.assignment')}
        hint={words('admin-streaming.assignment-hint')}
      />
      <div className="btns">
        <Save
          isSending={create.isSending || change.isSending}
          isDisabled={!hasIngest || (server !== null && !form.isChanged)}
        >
          {words(server === null ? 'admin-streaming.add' : 'form.save')}
        </Save>
        <button type="button" className="btn" onClick={() => done(null)}>
          {words('danger.cancel')}
        </button>
      </div>
    </Form>
  )
}
