import { useMemo } from 'react'
import type { AwardCategory, Awards } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useEveryPage } from '../../data/every-page.ts'
import { usePages } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { NumberField, SelectField, TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Rest } from '../../parts/more.tsx'
import forms from '../form.module.css'
import { hasReached } from './editions.ts'

/** Adds a category, or changes one. Once votes are cast, nothing of it but the badge changes. */

const types = ['user', 'team', 'tournament', 'map', 'other'] as const

interface Props {
  readonly awards: Awards
  /** null for a new one. */
  readonly category: AwardCategory | null
  readonly done: () => void
}

export function CategoryForm({ awards: { guid, status }, category, done }: Props) {
  const saved = useMemo(
    () => ({
      name: category?.name ?? '',
      nomineeType: category?.nomineeType ?? 'user',
      description: category?.description ?? '',
      shortlistSize: (category?.shortlistSize ?? 10) as number | null,
      badgeGuid: category?.badgeGuid ?? '',
    }),
    [category],
  )
  const form = useForm({ key: `award-category-${category?.guid ?? guid}`, saved })
  const badges = usePages(address('/badges', {}, { kind: 'award', limit: 100 }))
  const rest = useEveryPage(badges)
  const settled = () => {
    form.take()
    done()
  }
  const add = useWrite('POST /awards/{edition}/categories', (known) => {
    settled()
    known.renew('/awards')
  })
  const change = useWrite('PATCH /awards/{edition}/categories/{category}', (known) => {
    settled()
    known.renew('/awards')
  })
  const submit = () => {
    const bodyOf = <Values extends { readonly badgeGuid?: string; readonly shortlistSize?: number | null }>(
      values: Values,
    ) => {
      const { badgeGuid, shortlistSize, ...others } = values
      return {
        ...others,
        ...(shortlistSize != null && { shortlistSize }),
        ...(badgeGuid !== undefined && { badgeGuid: badgeGuid || null }),
      }
    }
    const params = { edition: guid }
    if (category === null) return void add.send({ params, body: bodyOf(form.values) })
    return void change.send({ params: { ...params, category: category.guid }, body: bodyOf(form.changed) })
  }
  const given = badges.data?.pages.flatMap((page) => page.badges).filter(({ retiredAt }) => retiredAt === null) ?? []
  const isWorded = hasReached(status, 'voting')
  return (
    <Form error={add.error ?? change.error} isChanged={form.isChanged} onSubmit={submit} className={forms.form ?? ''}>
      {!isWorded && (
        <>
          <div className={forms.fields}>
            <TextField form={form} name="name" label={words('admin-awards.category-name')} maxLength={80} isRequired />
            {(category === null || status === 'draft') && (
              <SelectField
                form={form}
                name="nomineeType"
                label={words('admin-awards.type')}
                options={types.map((each) => [each, words(`admin-awards.type-${each}`)])}
              />
            )}
            <NumberField
              form={form}
              name="shortlistSize"
              label={words('admin-awards.shortlist')}
              hint={words('admin-awards.shortlist-hint')}
              min={2}
              max={20}
              isRequired
            />
          </div>
          <TextField
            form={form}
            name="description"
            label={words('admin-awards.description')}
            hint={words('form.markdown')}
            rows={2}
            maxLength={2_000}
          />
        </>
      )}
      <SelectField
        form={form}
        name="badgeGuid"
        label={words('admin-awards.badge')}
        hint={words('admin-awards.badge-hint')}
        options={[['', words('admin-awards.badge-none')], ...given.map(({ guid, name }) => [guid, name] as const)]}
      />
      <Rest of={rest} />
      <Save isSending={add.isSending || change.isSending} isDisabled={category !== null && !form.isChanged}>
        {words(category === null ? 'admin-awards.category-add' : 'form.save')}
      </Save>
    </Form>
  )
}
