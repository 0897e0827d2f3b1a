/** Requests about keywords and categories. */
import { PAGE, PER_PAGE } from './crate-operations.ts';
import { jsonResponse, type Operation, type QueryParameter } from './operation.ts';
import { COUNT, list, object, ref } from './schema.ts';

const SORT: QueryParameter = {
  name: 'sort',
  description: 'The order: by name (default), or the one with the most crates first',
  schema: { type: 'string', enum: ['alpha', 'crates'] },
};
const QUERY = [PER_PAGE, PAGE, SORT];
const BAD_QUERY = { 400: 'A parameter is invalid' };

/** The operations on keywords and categories. */
export const TAG_OPERATIONS = {
  listKeywords: {
    method: 'GET',
    path: '/api/v1/keywords',
    tag: 'crates',
    summary: 'List keywords',
    access: 'reader',
    query: QUERY,
    success: jsonResponse(
      'A page of keywords',
      object({ keywords: list(ref('Keyword')), meta: object({ total: COUNT }) }),
    ),
    errors: BAD_QUERY,
  },
  getKeyword: {
    method: 'GET',
    path: '/api/v1/keywords/:keyword',
    tag: 'crates',
    summary: 'Get a keyword',
    access: 'reader',
    success: jsonResponse('The keyword', object({ keyword: ref('Keyword') })),
    errors: { 404: 'No crate has the keyword' },
  },
  listCategories: {
    method: 'GET',
    path: '/api/v1/categories',
    tag: 'crates',
    summary: 'List categories',
    description: 'Lists the categories of the first level that have crates, also in categories below them.',
    access: 'reader',
    query: QUERY,
    success: jsonResponse(
      'A page of categories',
      object({ categories: list(ref('Category')), meta: object({ total: COUNT }) }),
    ),
    errors: BAD_QUERY,
  },
  getCategory: {
    method: 'GET',
    path: '/api/v1/categories/:category',
    tag: 'crates',
    summary: 'Get a category',
    access: 'reader',
    success: jsonResponse(
      'The category, and those above and directly below it',
      object({
        category: {
          allOf: [
            ref('Category'),
            object({
              subcategories: list(ref('Category')),
              parent_categories: list(ref('Category')),
            }),
          ],
        },
      }),
    ),
    errors: { 404: 'No crate has the category' },
  },
} as const satisfies Readonly<Record<string, Operation>>;
