import { Type } from 'typebox'
import { Answer, command } from '../../../../core/operation.ts'
import { nullable } from '../../../../core/schema.ts'
import { badgeManagers } from '../../badges/policy.ts'
import { CreateCategoryBody, UpdateCategoryBody } from '../bodies/categories.ts'
import { OrderBody } from '../bodies/editions.ts'
import { addCategory, changeCategory, putInOrder, removeCategory } from '../commands/categories.ts'
import { showCategory } from '../queries.ts'
import { CategoryView } from '../views/edition.ts'

const path = '/awards/:edition/categories'
const invalidInput = { 'award.invalid': 400, 'badge.unknown': 404, 'badge.retired': 409 } as const

const create = command({
  name: 'awards.addCategory',
  method: 'POST',
  path,
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Add a category to an edition, behind all others.',
  description: 'Until nominations close. An edition has 60 categories at most.',
  body: CreateCategoryBody,
  reply: { 201: CategoryView },
  problems: { ...invalidInput, 'award.phase_wrong': 409, 'award.categories_limit': 409 },
  run: async ({ tx, actor, edition, body, now }) =>
    showCategory(tx, actor, edition, await addCategory(tx, actor, edition.guid, body, now)),
})

const update = command({
  name: 'awards.updateCategory',
  method: 'PATCH',
  path: `${path}/:category`,
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Change a category; what is not given stays.',
  description:
    'Its type is fixed once nominations have opened and, but for the badge, everything once voting has. Nothing changes once results are published.',
  body: UpdateCategoryBody,
  reply: { 200: CategoryView },
  problems: { ...invalidInput, 'award.categories_fixed': 409 },
  run: async ({ tx, actor, edition, category, body, now }) =>
    showCategory(tx, actor, edition, await changeCategory(tx, actor, category, body, now)),
})

const remove = command({
  name: 'awards.removeCategory',
  method: 'DELETE',
  path: `${path}/:category`,
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Take a category out of a draft.',
  description: 'Once nominations have opened, categories may be added, but none is taken away.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'award.phase_wrong': 409 },
  run: async ({ tx, actor, category, now }) => {
    await removeCategory(tx, actor, category, now)
    return new Answer(204)
  },
})

const order = command({
  name: 'awards.orderCategories',
  method: 'PUT',
  path: `${path}/order`,
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Put the categories of an edition into an order.',
  description: 'Until the results are published.',
  body: OrderBody,
  reply: { 200: Type.Object({ guids: Type.Array(Type.String({ format: 'uuid' })) }) },
  problems: { 'award.order_invalid': 400, 'award.phase_wrong': 409 },
  run: async ({ tx, actor, edition, body, now }) => ({
    guids: (await putInOrder(tx, actor, edition.guid, body.guids, now)).map(({ guid }) => guid),
  }),
})

export const categoriesOperations = [create, update, remove, order]
