import {
  Color, DoubleSide, FrontSide, LineBasicMaterial, MeshBasicMaterial, MeshStandardMaterial, ShaderMaterial,
} from "three";

export function surface(): MeshStandardMaterial {
  return new MeshStandardMaterial({
    roughness: 0.5, metalness: 0.0, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
  });
}

export function wire(): MeshBasicMaterial {
  return new MeshBasicMaterial({ wireframe: true, transparent: true, opacity: 0.22, depthWrite: false });
}

/** A body where it was or will be: clear in the middle, drawn by its outline. */
export function ghost(): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true, depthWrite: false, side: FrontSide,
    uniforms: { color: { value: new Color() }, strength: { value: 1 } },
    vertexShader: /* glsl */ `
      varying vec3 vNormal; varying vec3 vView;
      void main() {
        vec4 p = modelViewMatrix * vec4(position, 1.0);
        vNormal = normalMatrix * normal;
        vView = -p.xyz;
        gl_Position = projectionMatrix * p;
      }`,
    fragmentShader: /* glsl */ `
      uniform vec3 color; uniform float strength;
      varying vec3 vNormal; varying vec3 vView;
      void main() {
        float facing = abs(dot(normalize(vNormal), normalize(vView)));
        float rim = pow(1.0 - facing, 2.0);
        gl_FragColor = vec4(color, strength * mix(0.10, 0.62, rim));
        #include <colorspace_fragment>
      }`,
  });
}

/** Drawn twice: solid where it is seen, faint where something is in front. */
export function mark(opacity = 1): MeshBasicMaterial {
  return new MeshBasicMaterial({ transparent: true, opacity, side: DoubleSide, toneMapped: false });
}

export function lines(opacity: number): LineBasicMaterial {
  return new LineBasicMaterial({ transparent: true, opacity, depthWrite: false });
}
