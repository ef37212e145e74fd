// What people begin with: schemas and a function.

export const schemas = {
  Person: { type: "object", properties: { name: { type: "string" }, age: { type: "integer", minimum: 0, maximum: 150 }, city: { type: "string" } }, required: ["name", "age", "city"] },
  Joke: { type: "object", properties: { text: { type: "string" }, category: { enum: ["animal", "food", "school", "work", "other"] }, rating: { type: "integer", minimum: 1, maximum: 10 }, kidFriendly: { type: "boolean" } }, required: ["text", "category", "rating", "kidFriendly"] },
  Recipe: { type: "object", properties: { name: { type: "string" }, ingredients: { type: "array", items: { type: "string" }, minItems: 2, maxItems: 8 }, cookingTimeMinutes: { type: "integer", minimum: 1, maximum: 240 } }, required: ["name", "ingredients", "cookingTimeMinutes"] },
};

/// A schema as the settings show it.
export const schemaText = (name) => JSON.stringify(schemas[name], null, 2);

export const exampleTool = { name: "get_weather", description: "Current weather of a city", parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } };
