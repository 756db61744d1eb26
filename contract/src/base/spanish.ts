import { z } from 'zod'

/** What a person reads under a field. Schemas only spell a message out where the rule is their own. */
function message(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null || issue.input === '') return 'Este campo es obligatorio.'
      if (issue.expected === 'number' || issue.expected === 'int') return 'Debe ser un número.'
      if (issue.expected === 'string') return 'Debe ser un texto.'
      if (issue.expected === 'boolean') return 'Debe ser sí o no.'
      if (issue.expected === 'array') return 'Debe ser una lista.'
      return 'El valor no es válido.'
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1 ? 'Este campo es obligatorio.' : `Debe tener al menos ${issue.minimum} caracteres.`
      if (issue.origin === 'array')
        return issue.minimum === 1 ? 'Elija al menos uno.' : `Elija al menos ${issue.minimum}.`
      return issue.inclusive ? `Debe ser ${issue.minimum} o más.` : `Debe ser mayor que ${issue.minimum}.`
    case 'too_big':
      if (issue.origin === 'string') return `Debe tener como máximo ${issue.maximum} caracteres.`
      if (issue.origin === 'array') return `Elija como máximo ${issue.maximum}.`
      return issue.inclusive ? `Debe ser ${issue.maximum} o menos.` : `Debe ser menor que ${issue.maximum}.`
    case 'not_multiple_of':
      return `Debe ser múltiplo de ${issue.divisor}.`
    case 'invalid_format':
      if (issue.format === 'email') return 'El correo no es válido.'
      if (issue.format === 'date' || issue.format === 'datetime') return 'La fecha no es válida.'
      return 'El formato no es válido.'
    case 'invalid_value':
      return 'Elija una de las opciones.'
    case 'unrecognized_keys':
      return `No se reconoce: ${issue.keys.join(', ')}.`
    default:
      return 'El valor no es válido.'
  }
}

z.config({ customError: message })
