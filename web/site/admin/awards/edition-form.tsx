import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Awards } from '../../../../client/generated.ts'
import { readNow } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { say } from '../../parts/announcer.tsx'
import { CheckField, NumberField, SelectField, TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { InstantField } from '../../parts/form/instant.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { ownZone, useNow, zoneOf } from '../../parts/time.tsx'
import forms from '../form.module.css'
import { BannerField } from './banner.tsx'
import { bodyOf, dateNames, isFixed, links, plannedValues, ties, valuesOf } from './edition-values.ts'
import { editionAddress, hasReached } from './editions.ts'

/** Makes an edition, or changes one: its name, its dates and the rules of who takes part. */

interface Props {
  /** null for a new one. */
  readonly awards: Awards | null
  readonly cancel?: () => void
}

export function EditionForm({ awards, cancel }: Props) {
  const navigate = useNavigate()
  const now = useNow(60_000)
  const [planned] = useState(() => plannedValues(Date.now()))
  const saved = useMemo(() => (awards === null ? planned : valuesOf(awards)), [awards, planned])
  const form = useForm({ key: `awards-${awards?.guid ?? 'new'}`, saved })
  const create = useWrite('POST /awards', (known, made) => {
    form.take()
    known.renew('/awards')
    void navigate({ to: '/admin/awards/$edition', params: { edition: made.id }, ignoreBlocker: true })
  })
  const change = useWrite('PATCH /awards/{edition}', (known, after) => {
    form.take()
    known.put(editionAddress(after.id), after)
    known.renew('/awards')
    say(words('form.saved'))
    if (after.id !== awards?.id)
      void navigate({ to: '.', params: { edition: after.id }, replace: true, ignoreBlocker: true })
  })
  const submit = async () => {
    if (awards === null) return create.send({ params: {}, body: bodyOf(form.values) })
    // What others changed since is compared first.
    const newest = await readNow(editionAddress(awards.id)).catch(() => awards)
    const { changed, conflicts } = form.over(valuesOf(newest))
    if (Object.keys(conflicts).length > 0) return false
    const body = { ...bodyOf(changed), expectedUpdatedAt: newest.updatedAt }
    return change.send({ params: { edition: awards.guid }, body })
  }
  const areRulesFixed = awards !== null && hasReached(awards.status, 'voting')
  const isOpen = (name: (typeof dateNames)[number]) => awards === null || !isFixed(awards, name, now)
  const option = <Each extends string>(each: Each, word: string) => [each, word] as const
  return (
    <Form
      error={create.error ?? change.error}
      isChanged={form.isChanged}
      onSubmit={() => void submit()}
      className={forms.form ?? ''}
    >
      <div className={forms.fields}>
        <TextField form={form} name="title" label={words('admin-awards.title')} maxLength={120} isRequired />
        <TextField
          form={form}
          name="id"
          label={words('admin-awards.id')}
          hint={words('admin-awards.id-hint')}
          maxLength={32}
          isRequired
        />
      </div>
      <TextField
        form={form}
        name="description"
        label={words('admin-awards.description')}
        hint={words('form.markdown')}
        rows={4}
      />
      <BannerField form={form} />
      <fieldset>
        <legend className="strong">{words('admin-awards.dates')}</legend>
        <p className="small muted">{words('admin-awards.dates-hint', { zone: zoneOf(ownZone, now) })}</p>
        <div className={forms.fields}>
          {dateNames.filter(isOpen).map((name) => (
            <InstantField
              key={name}
              form={form}
              name={name}
              label={words(`admin-awards.${name}`)}
              zone={ownZone}
              isRequired={name !== 'publishAt'}
              {...(name === 'publishAt' && { hint: words('admin-awards.publish-hint') })}
            />
          ))}
        </div>
        {dateNames.some((name) => !isOpen(name)) && <p className="small muted">{words('admin-awards.dates-passed')}</p>}
      </fieldset>
      <fieldset>
        <legend className="strong">{words('admin-awards.rules')}</legend>
        {areRulesFixed ? (
          <p className="small muted">{words('admin-awards.rules-fixed')}</p>
        ) : (
          <>
            <div className={forms.fields}>
              <InstantField
                form={form}
                name="accountBefore"
                label={words('admin-awards.account-before')}
                hint={words('admin-awards.account-before-hint')}
                zone={ownZone}
                isRequired
              />
              <SelectField
                form={form}
                name="link"
                label={words('admin-awards.link')}
                options={links.map((each) => option(each, words(`admin-awards.link-${each}`)))}
              />
              {form.values.link !== 'none' && (
                <InstantField
                  form={form}
                  name="linkBefore"
                  label={words('admin-awards.link-before')}
                  hint={words('admin-awards.link-before-hint')}
                  zone={ownZone}
                />
              )}
              <NumberField
                form={form}
                name="minTournamentsPlayed"
                label={words('admin-awards.played')}
                min={0}
                max={20}
                isRequired
              />
              <NumberField
                form={form}
                name="nominationsPerCategory"
                label={words('admin-awards.per-category')}
                min={1}
                max={10}
                isRequired
              />
              <SelectField
                form={form}
                name="tie"
                label={words('admin-awards.tie')}
                options={ties.map((each) => option(each, words(`admin-awards.tie-${each}`)))}
              />
            </div>
            <CheckField form={form} name="selfNomination" label={words('admin-awards.self')} />
            <CheckField
              form={form}
              name="showCounts"
              label={words('admin-awards.counts')}
              hint={words('admin-awards.counts-hint')}
            />
          </>
        )}
      </fieldset>
      <div className="btns">
        <Save isSending={create.isSending || change.isSending} isDisabled={awards !== null && !form.isChanged}>
          {words(awards === null ? 'admin-awards.make' : 'form.save')}
        </Save>
        {cancel !== undefined && (
          <button type="button" className="btn" onClick={cancel}>
            {words('danger.cancel')}
          </button>
        )}
      </div>
    </Form>
  )
}
