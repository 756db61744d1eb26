import { makeTemplate } from './company.ts'

export default makeTemplate
